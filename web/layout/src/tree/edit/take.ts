// Taking items out, and what becomes of the containers they leave.

import { childrenOf } from '../model.ts';
import type { Item, ItemId } from '../model.ts';
import { settled, withSize } from '../sizes.ts';
import { refusal } from './error.ts';
import { split } from './work.ts';
import type { Way, Work } from './work.ts';

export function remove(work: Work, id: ItemId): void {
  const { left } = take(work, work.way(id), id, undefined);
  collapse(work, left);
}

/**
 * Takes out an item, and the containers above it that are empty then, up to `keep`.
 *
 * Gives the container that lost the item (`left`): if it is still there when the edit is done, it
 * may have to collapse.
 */
export function take(work: Work, way: Way, id: ItemId, keep: ItemId | undefined): { item: Item; left: ItemId | undefined } {
  const item = cut(work, way);
  if (item === undefined) throw refusal.noSuchItem(id);
  let { above } = split(way);
  const left = work.item(above)?.id;
  for (let one = work.item(above); one !== undefined; one = work.item(above)) {
    if (childrenOf(one).length > 0 || one.id === keep) break;
    cut(work, above);
    above = split(above).above;
  }
  return { item, left };
}

/** Replaces a row or column that has one child left by that child, which gets its sizes. */
export function collapse(work: Work, left: ItemId | undefined): void {
  if (left === undefined || !work.has(left)) return;
  work.change(work.way(left), (item) => {
    if (item.kind !== 'row' && item.kind !== 'column') return item;
    const [only, ...others] = item.children;
    return only === undefined || others.length > 0 ? item : withSize(only, item.size);
  });
}

/** Takes an item out of its container; the others share its space in proportion. */
function cut(work: Work, way: Way): Item | undefined {
  const { above, place } = split(way);
  const axis = work.axis(above);
  const front = work.active(above);
  const before = work.children(above);
  const item = before[place];
  if (item === undefined) return undefined;
  const settle = (items: readonly Item[]): readonly Item[] => (axis === undefined ? items : settled(items, axis));
  const after = settle(settle(before).toSpliced(place, 1));
  work.setChildren(above, after);
  const last = Math.max(after.length - 1, 0);
  work.setActive(above, place < front ? front - 1 : Math.min(front, last));
  return item;
}
