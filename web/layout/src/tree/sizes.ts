// Shares of a container, in percent of its axis.

import { MIN_SHARE } from './limits.ts';
import type { Axis, Item, Size } from './model.ts';

/** How far a sum may be from 100 before shares are scaled. */
const TOLERANCE = 1e-9;

/** The share along an axis, as given. */
export function along(size: Size, axis: Axis): number | undefined {
  return axis === 'horizontal' ? size.width : size.height;
}

/**
 * The share of each item along `axis`, in percent; together 100.
 *
 * Items without a size share equally what the others leave. Where those leave less than
 * `MIN_SHARE` for each, an item without a size counts as an equal part of the whole, and all are
 * scaled.
 */
export function shares(items: readonly Item[], axis: Axis): number[] {
  const said = items.map((item) => along(item.size, axis));
  const missing = said.filter((share) => share === undefined).length;
  const left = 100 - sum(said.map((share) => share ?? 0));
  const fill = left >= missing * MIN_SHARE ? left / Math.max(missing, 1) : 100 / items.length;
  return scaled(said.map((share) => share ?? fill), 100);
}

/** Scales shares so that they sum to `total`; leaves them alone if they already do. */
export function scaled(list: readonly number[], total: number): number[] {
  const all = sum(list);
  const fits = all <= 0 || Math.abs(all - total) <= TOLERANCE;
  return fits ? [...list] : list.map((share) => (share * total) / all);
}

/** Whether any of the items has a size along the axis. */
export function anyGiven(items: readonly Item[], axis: Axis): boolean {
  return items.some((item) => along(item.size, axis) !== undefined);
}

/** The items with these shares. */
export function withShares(items: readonly Item[], axis: Axis, list: readonly number[]): Item[] {
  return items.map((item, place) => withShare(item, axis, list[place]));
}

/** The item with this share; itself if that changes nothing. */
export function withShare(item: Item, axis: Axis, share: number | undefined): Item {
  if (along(item.size, axis) === share) return item;
  return { ...item, size: axis === 'horizontal' ? { ...item.size, width: share } : { ...item.size, height: share } };
}

/** The item with this size along both axes; itself if that changes nothing. */
export function withSize<T extends Item>(item: T, size: Size): T {
  const same = item.size.width === size.width && item.size.height === size.height;
  return same ? item : { ...item, size };
}

/**
 * Settles the sizes of siblings: none has one, or all have, and these sum to 100. An only child
 * has none. The list itself comes back if it was so already.
 */
export function settled(items: readonly Item[], axis: Axis): readonly Item[] {
  if (!anyGiven(items, axis)) return items;
  if (items.length === 1) return items.map((only) => withShare(only, axis, undefined));
  const complete = items.every((item) => along(item.size, axis) !== undefined);
  const total = sum(items.map((item) => along(item.size, axis) ?? 0));
  if (complete && Math.abs(total - 100) <= TOLERANCE) return items;
  return withShares(items, axis, shares(items, axis));
}

export function sum(list: readonly number[]): number {
  return list.reduce((total, one) => total + one, 0);
}
