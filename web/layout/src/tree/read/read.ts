// Reading: any of the forms in, a tree and diagnostics out.

import { ReadError, what } from '../diagnostic.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { Ids } from '../ids.ts';
import type { IdSource } from '../ids.ts';
import { given, has, isObject } from '../json.ts';
import { MAX_TEXT } from '../limits.ts';
import { EMPTY_TREE, parseKind } from '../model.ts';
import type { Item, JsonObject, Root, Tree } from '../model.ts';
import { attempt } from '../result.ts';
import type { Result } from '../result.ts';
import { utf8Length } from '../text.ts';
import { Reader } from './reader.ts';
import type { Placed } from './reader.ts';

/**
 * What to do about faults that lose something: `strict` refuses the whole, for callers who can do
 * better; `lenient` leaves out what cannot be read and says so, for files.
 */
export type Policy = 'strict' | 'lenient';

/**
 * The form in which a tree was given: `{children, config, context, frame}`, a list of items or
 * one item (`definition`); `{name, type: "Workspace", components: [{type: "Workspace", state}]}`
 * or one component (`saved-layout`).
 */
export type Dialect = 'definition' | 'saved-layout';

/** What was read. */
export interface Read {
  /** The tree, as it was given: nothing is normalised. */
  readonly tree: Tree;
  readonly dialect: Dialect;
  /** The name of a saved layout. */
  readonly name?: string | undefined;
  /** What could not be read as it stood; at most `MAX_DIAGNOSTICS`. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many further diagnostics were only counted. */
  readonly moreDiagnostics: number;
}

/**
 * Reads a tree in any form: definition, saved layout, list of items, one item, or JSON text of
 * one of these.
 *
 * Ids that are given stay; items without one, or with one that an earlier item has, get one from
 * the source. Null is as good as absent everywhere but in settings that layout does not know.
 *
 * It is refused when there is no tree at all, when it is out of bounds, and under `strict` when
 * something would be lost.
 */
export function read(value: unknown, policy: Policy, source: IdSource): Result<Read, ReadError> {
  return attempt(ReadError, () => readValue(typeof value === 'string' ? parse(value) : value, policy, source));
}

function parse(text: string): unknown {
  const bytes = utf8Length(text);
  if (bytes > MAX_TEXT) throw ReadError.textTooLong(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw ReadError.notJson(error instanceof Error ? error.message : String(error));
  }
}

function readValue(value: unknown, policy: Policy, source: IdSource): Read {
  const reader = new Reader(new Ids(source));
  const found = readForm(reader, value);
  const tree = { ...found.tree, children: reader.named(found.tree.children) };
  return { ...found, tree, ...reader.finish(policy === 'strict') };
}

/** Reads one item for an edit, strictly; `ids` knows the tree that it will join. */
export function readItem(value: unknown, ids: Ids): { item: Item; diagnostics: readonly Diagnostic[] } {
  const reader = new Reader(ids);
  const found = reader.item(value, 1);
  const [item] = reader.named(found === undefined ? [] : [found]);
  const { diagnostics } = reader.finish(true);
  if (item === undefined) throw ReadError.notATree([], what(value));
  return { item, diagnostics };
}

interface Found {
  readonly tree: Tree;
  readonly dialect: Dialect;
  readonly name?: string | undefined;
}

function readForm(reader: Reader, value: unknown): Found {
  if (Array.isArray(value)) return { tree: treeOf(reader.list(value, 1)), dialect: 'definition' };
  if (!isObject(value)) throw ReadError.notATree([], what(value));
  if (parseKind(given(value, 'type')) !== undefined) {
    const item = reader.item(value, 1);
    return { tree: treeOf(item === undefined ? [] : [{ place: 0, item }]), dialect: 'definition' };
  }
  if (has(value, 'components') && !has(value, 'children')) {
    const name = given(value, 'name');
    const tree = readComponents(reader, value['components']);
    return { tree, dialect: 'saved-layout', name: typeof name === 'string' ? name : undefined };
  }
  const state = given(value, 'state');
  if (isObject(state) && !has(value, 'children')) {
    return { tree: reader.within('state', () => readRoot(reader, state)), dialect: 'saved-layout' };
  }
  if (!['children', 'config', 'context', 'frame'].some((key) => has(value, key))) {
    throw ReadError.notATree([], 'an object without `children`');
  }
  return { tree: readRoot(reader, value), dialect: 'definition' };
}

/** Reads the one component of a workspace layout. A layout without any is an empty workspace. */
function readComponents(reader: Reader, components: unknown): Tree {
  return reader.within('components', () => {
    if (components === null || components === undefined) return EMPTY_TREE;
    if (!Array.isArray(components)) throw ReadError.notATree(reader.path, what(components));
    if (components.length === 0) return EMPTY_TREE;
    const isWorkspace = (one: unknown): boolean => isObject(one) && given(one, 'type') === 'Workspace';
    const place = components.findIndex(isWorkspace);
    if (place < 0) throw ReadError.notATree(reader.path, 'no component of type `Workspace`');
    if (components.length > 1) reader.fault('more-components', String(components.length - 1));
    const component: unknown = components[place];
    const state = isObject(component) ? given(component, 'state') : undefined;
    return reader.within(place, () => reader.within('state', () => readState(reader, state)));
  });
}

function readState(reader: Reader, state: unknown): Tree {
  if (state === undefined) return EMPTY_TREE;
  if (!isObject(state)) throw ReadError.notATree(reader.path, what(state));
  return readRoot(reader, state);
}

function readRoot(reader: Reader, object: JsonObject): Tree {
  const root = reader.root(object);
  return treeOf(reader.children(object, 1), root);
}

function treeOf(placed: readonly Placed[], root: Root = EMPTY_TREE.root): Tree {
  return { children: placed.map(({ item }) => item), root };
}
