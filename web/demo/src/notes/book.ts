// Notes as they are kept: one entry of the application's preferences each, so that two windows that write
// at once do not lose a note to each other. Pure.

export interface Note {
  readonly id: string;
  readonly clientId: string;
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly text: string;
}

/** Longest text, as the definition of `Notes.Add` says. */
export const LONGEST = 4000;

/** The entry of a note: `{[id]: {clientId, at, text}}`. */
export const entryOf = ({ id, ...note }: Note): Record<string, Omit<Note, 'id'>> => ({ [id]: note });

/** The notes about a client, newest first. What is no note is left out: others may write here too. */
export function notesOf(entries: unknown, clientId: string): readonly Note[] {
  if (typeof entries !== 'object' || entries === null) return [];
  return Object.entries(entries)
    .flatMap(([id, entry]) => (isNote(entry) && entry.clientId === clientId ? [{ ...entry, id }] : []))
    .sort((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id));
}

function isNote(entry: unknown): entry is Omit<Note, 'id'> {
  const note = entry as Partial<Note> | null;
  return typeof note?.clientId === 'string' && typeof note.text === 'string' && !Number.isNaN(Date.parse(note.at ?? ''));
}

/** The text as it is kept, or what is wrong with it. */
export function judge(text: unknown): { text: string } | { fault: string } {
  if (typeof text !== 'string' || text.trim() === '') return { fault: 'The note is empty; write what it is to say.' };
  const kept = text.trim();
  return kept.length > LONGEST ? { fault: `The note has ${kept.length} characters; at most ${LONGEST} are kept.` } : { text: kept };
}

export interface Day {
  readonly date: Date;
  readonly notes: readonly Note[];
}

/** Notes by the day they are of, in the person's time zone; the order stays. */
export function byDay(notes: readonly Note[]): readonly Day[] {
  const days: { date: Date; notes: Note[] }[] = [];
  for (const note of notes) {
    const date = new Date(note.at);
    const last = days.at(-1);
    if (last !== undefined && last.date.toDateString() === date.toDateString()) last.notes.push(note);
    else days.push({ date, notes: [note] });
  }
  return days;
}
