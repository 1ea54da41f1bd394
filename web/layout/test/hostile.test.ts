import { expect, test } from 'vitest';
import { apply, counter, definition, MAX_DEPTH, MAX_ITEMS, read } from '../src/index.ts';
import type { Json } from '../src/index.ts';
import { treeOf } from './support.ts';

const lenient = (value: unknown): ReturnType<typeof read> => read(value, 'lenient', counter('n'));

test('keys that mean something to JavaScript are plain keys', () => {
  const text = '{"children":[{"type":"window","id":"a","appName":"a","__proto__":{"x":1},"config":{"__proto__":{"type":"row"},"constructor":2}}],"__proto__":{"y":1}}';
  const found = lenient(text);
  if (!found.ok) throw found.error;
  expect(JSON.parse(JSON.stringify(definition(found.value.tree, { ids: true })))).toEqual(JSON.parse(text));
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test('what an object inherits is not read', () => {
  expect(lenient(Object.create({ children: [] }))).toMatchObject({ ok: false, error: { code: 'not-a-tree' } });
});

test('depth and number are bounded', () => {
  let deep: Json = { type: 'window', appName: 'a' };
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) deep = { type: 'row', children: [deep] };
  expect(lenient([deep])).toMatchObject({ ok: false, error: { code: 'too-deep' } });
  const many = Array.from({ length: MAX_ITEMS + 1 }, () => ({ type: 'window', appName: 'a' }));
  expect(lenient(many)).toMatchObject({ ok: false, error: { code: 'too-many-items' } });
  expect(lenient('['.repeat(200_000))).toMatchObject({ ok: false, error: { code: 'not-json' } });
});

test('a source of ids that repeats itself is no trap', () => {
  const found = read([{ type: 'window', appName: 'a' }, { type: 'window', appName: 'b' }], 'strict', () => 'x');
  expect(found.ok && found.value.tree.children.map(({ id }) => id)).toEqual(['x', 'x-2']);
});

test.each([Number.NaN, 0.5, -1, Number.POSITIVE_INFINITY])('%d is no index and no size', (number) => {
  const tree = treeOf({ group: ['a', 'b'], id: 'g' }, 'c');
  expect(apply(tree, { op: 'reorder', item: 'a', index: number }, counter())).toMatchObject({ error: { code: 'bad-index' } });
  expect(apply(tree, { op: 'resize', item: 'g', size: number }, counter())).toMatchObject({ error: { code: 'bad-size' } });
});

test('what an edit does not touch is shared', () => {
  const tree = treeOf({ row: ['a', { column: ['b', 'c'], id: 'k' }] }, { group: ['d', 'e'], id: 'g' });
  const applied = apply(tree, { op: 'select', item: 'e' }, counter());
  expect(applied.ok && applied.value.tree.children[0]).toBe(tree.children[0]);
});
