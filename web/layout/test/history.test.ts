import { expect, test } from 'vitest';
import { amend, apply, begin, counter, MAX_STEPS, record, redo, undo } from '../src/index.ts';
import type { Edit, Tree } from '../src/index.ts';
import { treeOf } from './support.ts';

function edited(tree: Tree, edit: Edit): Tree {
  const applied = apply(tree, edit, counter('n'));
  if (!applied.ok) throw applied.error;
  return applied.value.tree;
}

test('what was done is undone and done again, step by step', () => {
  const one = treeOf({ group: ['a', 'b', 'c'] });
  const two = edited(one, { op: 'remove', item: 'c' });
  const three = edited(two, { op: 'remove', item: 'b' });
  const done = record(record(begin(one), 'close C', two), 'close B', three);
  expect(undo(undo(done)).tree).toBe(one);
  expect(undo(undo(undo(done))).tree).toBe(one);
  expect(redo(undo(undo(done)))).toMatchObject({ tree: two, past: [{ label: 'close C' }], future: [{ label: 'close B' }] });
  expect(redo(redo(undo(undo(done)))).tree).toBe(three);
  expect(record(undo(done), 'other', one).future).toEqual([]);
});

test('a tab that came to the front is no step', () => {
  const one = treeOf({ group: ['a', 'b'] });
  const front = edited(one, { op: 'select', item: 'b' });
  expect(amend(begin(one), front)).toEqual({ past: [], tree: front, future: [] });
});

test('only so many steps are kept', () => {
  let history = begin(treeOf('a'));
  for (let step = 0; step < MAX_STEPS + 20; step += 1) history = record(history, `${step}`, treeOf('a'));
  expect(history.past).toHaveLength(MAX_STEPS);
  expect(history.past[0]?.label).toBe('20');
});
