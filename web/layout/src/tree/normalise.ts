// The normal form: no empty containers, and sizes that sum to 100.

import { axisOf, childrenOf, isWindow, withChildren } from './model.ts';
import type { Axis, Item, Tree } from './model.ts';
import { settled } from './sizes.ts';

/**
 * Brings a tree that came from somewhere into normal form:
 *
 * 1. Containers without a window in them are dropped.
 * 2. Sizes of siblings along the axis of their container: either none has one, or all have and
 *    they sum to 100. An only child has none.
 *
 * Containers with one child stay: whoever made them wanted them. What was so already is shared.
 */
export function normalise(tree: Tree): Tree {
  return settleTree(withItems(tree, dropEmpty(tree.children)));
}

/** Settles the sizes of all siblings. */
export function settleTree(tree: Tree): Tree {
  return withItems(tree, settleItems(tree.children, 'horizontal'));
}

function withItems(tree: Tree, children: readonly Item[]): Tree {
  return children === tree.children ? tree : { ...tree, children };
}

/** Items in which all sizes are settled. Items do not change, so once is enough. */
const calm = new WeakSet<Item>();

function settleItems(items: readonly Item[], axis: Axis | undefined): readonly Item[] {
  const inside = mapShared(items, (item) => {
    if (item.kind === 'window' || calm.has(item)) return item;
    const after = settleItems(item.children, axisOf(item.kind));
    const settledItem = after === item.children ? item : withChildren(item, after);
    calm.add(settledItem);
    return settledItem;
  });
  return axis === undefined ? inside : settled(inside, axis);
}

function dropEmpty(items: readonly Item[]): readonly Item[] {
  const inside = mapShared(items, (item) => {
    const before = childrenOf(item);
    const after = dropEmpty(before);
    return after === before ? item : withChildren(item, after);
  });
  return inside.every(isFull) ? inside : inside.filter(isFull);
}

/** Whether an item is a window, or has something in it after what is empty went. */
function isFull(item: Item): boolean {
  return isWindow(item) || item.children.length > 0;
}

/** As `map`; the list itself if nothing changes. */
function mapShared(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change);
  return changed.every((item, place) => item === items[place]) ? items : changed;
}
