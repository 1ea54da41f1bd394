// How a row or column divides its rectangle among its children.

import { axisOf, childrenOf } from '../tree/model.ts';
import type { Axis, Item } from '../tree/model.ts';
import { shares, sum } from '../tree/sizes.ts';
import { distribute } from './distribute.ts';
import type { Metrics } from './metrics.ts';
import type { Rect } from './rect.ts';

/** What a child gets. */
export interface Part {
  readonly item: Item;
  readonly rect: Rect;
  /** In percent. */
  readonly share: number;
  /** The least length that it wants. */
  readonly least: number;
}

/** Edges are whole pixels, and the parts with their gaps fill the rectangle. */
export function divide(items: readonly Item[], axis: Axis, rect: Rect, metrics: Metrics): Part[] {
  const { gap } = metrics;
  const least = items.map((item) => lengthOf(leastOf(item, metrics), axis));
  const parts = shares(items, axis);
  const lengths = distribute(Math.max(lengthOf(rect, axis) - gap * (items.length - 1), 0), parts, least);
  let exact = startOf(rect, axis);
  return items.map((item, place) => {
    const from = Math.round(exact);
    const to = Math.round(exact + (lengths[place] ?? 0));
    exact += (lengths[place] ?? 0) + gap;
    return { item, rect: slice(rect, axis, from, to - from), share: parts[place] ?? 0, least: least[place] ?? 0 };
  });
}

interface Extent {
  readonly width: number;
  readonly height: number;
}

/** Items and metrics do not change, so what an item wants is computed once. */
const known = new WeakMap<Metrics, WeakMap<Item, Extent>>();

/** The least extent that an item wants. */
function leastOf(item: Item, metrics: Metrics): Extent {
  const axis = axisOf(item.kind);
  const children = childrenOf(item);
  if (axis === undefined || children.length === 0) return { width: metrics.minWidth, height: metrics.minHeight };
  const items = known.get(metrics) ?? new WeakMap<Item, Extent>();
  known.set(metrics, items);
  const before = items.get(item);
  if (before !== undefined) return before;
  const inside = children.map((child) => leastOf(child, metrics));
  const gaps = metrics.gap * (children.length - 1);
  const widths = inside.map(({ width }) => width);
  const heights = inside.map(({ height }) => height);
  const least =
    axis === 'horizontal'
      ? { width: sum(widths) + gaps, height: Math.max(...heights) }
      : { width: Math.max(...widths), height: sum(heights) + gaps };
  items.set(item, least);
  return least;
}

export function lengthOf(extent: Extent, axis: Axis): number {
  return axis === 'horizontal' ? extent.width : extent.height;
}

export function startOf(rect: Rect, axis: Axis): number {
  return axis === 'horizontal' ? rect.x : rect.y;
}

/** A part of a rectangle along an axis. */
export function slice({ x, y, width, height }: Rect, axis: Axis, from: number, length: number): Rect {
  return axis === 'horizontal' ? { x: from, y, width: length, height } : { x, y: from, width, height: length };
}
