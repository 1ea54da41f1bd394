// Runs every vector of the tree.

import { describe, expect, test } from 'vitest';
import { apply, arrange, counter, definition, normalise, read, savedLayout } from '../src/index.ts';
import type { Edit, EditError, Json, JsonObject, ReadError, Tree } from '../src/index.ts';
import { vectorFiles } from './vectors.ts';
import type { Vector } from './vectors.ts';

let count = 0;
for (const { file, vectors } of vectorFiles()) {
  count += vectors.length;
  describe(file, () => {
    test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => run(vector));
  });
}

test('all vectors were found', () => {
  expect(count).toBeGreaterThanOrEqual(269);
});

function run(vector: Vector): void {
  if (vector.operation !== undefined) runOperation(vector, vector.operation);
  else if (vector.windows !== undefined) runArrange(vector);
  else if (vector.input !== undefined) runRead(vector);
  else if (vector.saved !== undefined) runWrite(vector);
  else expect.unreachable(`a vector of no kind: ${vector.name}`);
}

function runOperation(vector: Vector, operation: Edit | { readonly op: 'normalise' }): void {
  const tree = given(vector.tree);
  const before = JSON.stringify(tree);
  if (operation.op === 'normalise') {
    expectSame(definition(normalise(tree), { ids: true }), vector.result);
  } else {
    const applied = apply(tree, operation, counter('n'));
    if (applied.ok) expectSame(definition(applied.value.tree, { ids: true }), vector.result);
    expectSame(applied.ok ? undefined : fault(applied.error), vector.error);
  }
  expect(JSON.stringify(tree)).toBe(before);
}

function runArrange(vector: Vector): void {
  const arranged = arrange(given(vector.windows).children, counter('n'));
  expect(arranged.ok).toBe(true);
  if (arranged.ok) expectSame(definition(arranged.value, { ids: true }), vector.result);
}

function runRead(vector: Vector): void {
  const found = read(vector.input, vector.policy ?? 'lenient', counter('n'));
  if (!found.ok) {
    expectSame(fault(found.error), vector.error);
    return;
  }
  expectSame(undefined, vector.error);
  expectSame(definition(found.value.tree, { ids: true }), vector.tree);
  const diagnostics = found.value.diagnostics.map(({ path, code }) => ({ path, code }));
  expectSame(sorted(diagnostics), sorted(vector.diagnostics ?? []));
  expect(found.value.dialect).toBe(vector.dialect ?? 'definition');
  expect(found.value.name).toBe(vector.layout);
}

function runWrite(vector: Vector): void {
  const tree = given(vector.tree);
  expectSame(definition(tree, { ids: false }), vector.definition);
  const saved = savedLayout(tree, 'L', { ids: true });
  expectSame(saved, vector.saved);
  expectSame(definition(given(saved), { ids: true }), vector.tree);
}

/** The tree of a vector: nothing in it is at fault, and every item has an id. */
function given(value: Json | undefined): Tree {
  const found = read(value, 'strict', () => expect.unreachable('an item without an id'));
  if (!found.ok) throw found.error;
  expect(found.value.diagnostics).toEqual([]);
  return found.value.tree;
}

function fault(error: ReadError | EditError): JsonObject {
  return error.path === undefined ? { code: error.code } : { code: error.code, path: error.path };
}

function sorted(list: readonly Json[]): Json[] {
  return list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Equal, where numbers may differ by a millionth and the order of keys does not matter. */
function expectSame(got: Json | undefined, expected: Json | undefined): void {
  expect(rounded(got)).toStrictEqual(rounded(expected));
}

function rounded(value: Json | undefined): unknown {
  if (typeof value === 'number') return Math.round(value * 1e6) / 1e6;
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
}
