// How well a text answers what was typed, and which of its letters did.

/** Letters of a text from `start` up to `end`. */
export type Mark = readonly [start: number, end: number];

export interface Match {
  /** Better ones are smaller: 0 the text begins so, 1 its words do, 2 the letters are in it in this order. */
  readonly tier: 0 | 1 | 2;
  readonly marks: readonly Mark[];
}

/** Without case and accents; letter by letter, so that places stay what they are. */
export function fold(text: string): string {
  return Array.from({ length: text.length }, (_, at) => text.charAt(at).normalize('NFD').charAt(0).toLowerCase().charAt(0)).join('');
}

export function match(query: string, text: string): Match | undefined {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const folded = fold(text);
  const whole = words.join(' ');
  if (folded.startsWith(whole)) return { tier: 0, marks: [[0, whole.length]] };
  const starts = byWords(words, text, folded);
  if (starts !== undefined) return { tier: 1, marks: starts };
  const letters = bySequence(words.join(''), folded);
  return letters === undefined ? undefined : { tier: 2, marks: letters };
}

/** Every word begins a word of the text, in any order. */
function byWords(words: readonly string[], text: string, folded: string): readonly Mark[] | undefined {
  const marks: Mark[] = [];
  for (const word of words) {
    const start = wordStarts(text).find((at) => folded.startsWith(word, at) && !marks.some(([from, to]) => at >= from && at < to));
    if (start === undefined) return undefined;
    marks.push([start, start + word.length]);
  }
  return marks.toSorted(([a], [b]) => a - b);
}

/** Also within `clientList`, `client_list` and `client.list`. */
function wordStarts(text: string): readonly number[] {
  return Array.from(text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<=\p{Ll})\p{Lu}/gu), ({ index }) => index);
}

/** One after the other; together where they are so somewhere. One letter alone says too little. */
function bySequence(letters: string, folded: string): readonly Mark[] | undefined {
  if (letters.length < 2) return undefined;
  const together = folded.indexOf(letters);
  if (together >= 0) return [[together, together + letters.length]];
  const marks: [number, number][] = [];
  let from = 0;
  for (const letter of letters) {
    const at = folded.indexOf(letter, from);
    if (at < 0) return undefined;
    const last = marks.at(-1);
    if (last !== undefined && last[1] === at) last[1] = at + 1;
    else marks.push([at, at + 1]);
    from = at + 1;
  }
  return marks;
}
