import { expect, test } from 'vitest';
import { matching, step } from '../src/clients/search.ts';

const client = (id: string, name: string, segment: string, country: string, relationshipManager: string) => ({ id, name, segment, country, relationshipManager });
const CLIENTS = [
  client('C-1', 'Northwind Pension Fund', 'institutional', 'NO', 'Ingrid Solberg'),
  client('C-2', 'Halden Family Office', 'family office', 'CH', 'Marc Keller'),
  client('C-3', 'Asha Raman', 'private', 'GB', 'Priya Nair'),
];

test.each([
  ['', ['C-1', 'C-2', 'C-3']],
  ['NORTH fund', ['C-1']],
  ['keller', ['C-2']],
  ['private', ['C-3']],
  ['c-2', ['C-2']],
  ['north keller', []],
])('%j finds %j', (text, ids) => {
  expect(matching(CLIENTS, text).map(({ id }) => id)).toEqual(ids);
});

test.each([
  ['ArrowDown', -1, 3, 0],
  ['ArrowDown', 0, 3, 1],
  ['ArrowDown', 2, 3, 2],
  ['ArrowUp', 0, 3, 0],
  ['PageDown', 0, 30, 10],
  ['PageUp', 25, 30, 15],
  ['ArrowDown', -1, 0, undefined],
  ['a', 0, 3, undefined],
])('%s at row %i of %i leads to %s', (key, at, count, to) => {
  expect(step(key, at, count)).toBe(to);
});
