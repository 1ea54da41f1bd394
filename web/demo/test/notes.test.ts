import { expect, test } from 'vitest';
import { LONGEST, byDay, entryOf, judge, notesOf } from '../src/notes/book.ts';

const note = (id: string, clientId: string, at: string) => ({ id, clientId, at, text: `text of ${id}` });

test('the notes of a client are found, newest first, among what others wrote', () => {
  const old = note('a', 'C-1001', '2026-03-01T09:00:00.000Z');
  const recent = note('b', 'C-1001', '2026-04-01T09:00:00.000Z');
  const entries = {
    ...entryOf(old),
    ...entryOf(recent),
    ...entryOf(note('c', 'C-1002', '2026-04-02T09:00:00.000Z')),
    lastUpdate: '2026-04-02T09:00:00.000Z',
    empty: null,
    undated: { clientId: 'C-1001', text: 'x' },
    odd: { clientId: 'C-1001', text: 'x', at: 'yesterday' },
  };
  expect(notesOf(entries, 'C-1001')).toEqual([recent, old]);
  expect(notesOf(undefined, 'C-1001')).toEqual([]);
});

test('notes of one day stand together', () => {
  const notes = [note('c', 'A', '2026-04-02T11:00:00'), note('b', 'A', '2026-04-02T09:00:00'), note('a', 'A', '2026-03-31T09:00:00')];
  expect(byDay(notes).map((day) => day.notes.map(({ id }) => id))).toEqual([['c', 'b'], ['a']]);
});

test('a note is kept without the space around it, and not when there is nothing to keep or too much', () => {
  expect(judge('  Call back. \n')).toEqual({ text: 'Call back.' });
  for (const text of ['', ' \n', undefined, 7, 'x'.repeat(LONGEST + 1)]) expect(judge(text)).toHaveProperty('fault');
  expect(judge('x'.repeat(LONGEST))).toHaveProperty('text');
});
