// A tree in the middle of an edit: finding items, replacing them on the way down to them.

import type { Diagnostic } from '../diagnostic.ts';
import { Ids } from '../ids.ts';
import type { IdSource } from '../ids.ts';
import { MAX_DEPTH, MAX_ITEMS } from '../limits.ts';
import { axisOf, childrenOf, walk, withChildren } from '../model.ts';
import type { Axis, Item, ItemId, Kind, Tree } from '../model.ts';
import { settleTree } from '../normalise.ts';
import { refusal } from './error.ts';

/** Places from the top level down to an item. An empty way leads to the workspace itself. */
export type Way = readonly number[];

/** Throws `EditError` where an edit cannot be done; the tree it began with never changes. */
export class Work {
  tree: Tree;
  diagnostics: readonly Diagnostic[] = [];
  readonly ids: Ids;

  constructor(tree: Tree, source: IdSource) {
    this.tree = tree;
    this.ids = new Ids(source);
    for (const item of walk(tree.children)) this.ids.take(item.id);
  }

  /** Settles sizes and checks bounds. */
  finish(): Tree {
    const tree = settleTree(this.tree);
    const { count, depth } = measure(tree.children);
    if (count > MAX_ITEMS) throw refusal.tooManyItems();
    if (depth > MAX_DEPTH) throw refusal.tooDeep();
    return tree;
  }

  noted(): { assigned: readonly ItemId[]; diagnostics: readonly Diagnostic[] } {
    return { assigned: this.ids.assigned, diagnostics: this.diagnostics };
  }

  /** The way to an item that must be there. */
  way(id: ItemId): Way {
    const way = find(this.tree.children, id);
    if (way === undefined) throw refusal.noSuchItem(id);
    return way;
  }

  has(id: ItemId): boolean {
    return find(this.tree.children, id) !== undefined;
  }

  item(way: Way): Item | undefined {
    const { above, place } = split(way);
    return way.length === 0 ? undefined : this.children(above)[place];
  }

  /** What stands at the end of a way; nothing in a window. */
  children(way: Way): readonly Item[] {
    return way.reduce<readonly Item[]>((items, place) => {
      const item = items[place];
      return item === undefined ? [] : childrenOf(item);
    }, this.tree.children);
  }

  /** What stands at the end of a way; `undefined` is the workspace itself. */
  kind(way: Way): Kind | undefined {
    return this.item(way)?.kind;
  }

  /** The axis on which children are laid out there; the top level is as a row. */
  axis(way: Way): Axis | undefined {
    const kind = this.kind(way);
    return kind === undefined ? 'horizontal' : axisOf(kind);
  }

  /** The tab in front of a group. */
  active(way: Way): number {
    const item = this.item(way);
    return item?.kind === 'group' ? (item.active ?? 0) : 0;
  }

  /** Brings a tab to the front. That it is the first is said only where something was said. */
  setActive(way: Way, tab: number): void {
    this.change(way, (item) => {
      if (item.kind !== 'group' || (item.active === undefined && tab === 0)) return item;
      return { ...item, active: tab };
    });
  }

  /** Puts other children to the end of a way. Only the items on the way are copied. */
  setChildren(way: Way, children: readonly Item[]): void {
    if (way.length === 0) this.tree = { ...this.tree, children };
    else this.change(way, (item) => withChildren(item, children));
  }

  /** Replaces an item. */
  change(way: Way, change: (item: Item) => Item): void {
    if (way.length === 0) return;
    const { above, place } = split(way);
    const siblings = this.children(above);
    const item = siblings[place];
    if (item !== undefined) this.setChildren(above, siblings.with(place, change(item)));
  }
}

/** Splits a way into the container's way and the place in it. */
export function split(way: Way): { above: Way; place: number } {
  return { above: way.slice(0, -1), place: way.at(-1) ?? 0 };
}

/** Whether a way leads to, or through, where another one leads. */
export function startsWith(way: Way, start: Way): boolean {
  return start.every((place, depth) => way[depth] === place);
}

export function sameWay(a: Way, b: Way): boolean {
  return a.length === b.length && startsWith(a, b);
}

function find(items: readonly Item[], id: ItemId): number[] | undefined {
  for (const [place, item] of items.entries()) {
    if (item.id === id) return [place];
    const below = find(childrenOf(item), id);
    if (below !== undefined) return [place, ...below];
  }
  return undefined;
}

function measure(items: readonly Item[]): { count: number; depth: number } {
  let count = items.length;
  let deepest = 0;
  for (const item of items) {
    const below = measure(childrenOf(item));
    count += below.count;
    deepest = Math.max(deepest, 1 + below.depth);
  }
  return { count, depth: deepest };
}
