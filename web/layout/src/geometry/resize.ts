// What moving a splitter does.

import type { Edit } from '../tree/edit/edit.ts';
import { MIN_SHARE } from '../tree/limits.ts';
import type { Splitter } from './picture.ts';
import { clamp } from './rect.ts';

/** How near to a minimum a splitter snaps to it, in pixels. */
export const SNAP = 8;

/** The length of the first neighbour for a wished one: within bounds, snapped to them. */
export function lengthFor(splitter: Splitter, wished: number): number {
  const { min, max } = splitter;
  if (wished < min + SNAP) return min;
  if (wished > max - SNAP) return max;
  return clamp(wished, min, max);
}

/** The edit that gives the first neighbour a length. */
export function resizeTo(splitter: Splitter, length: number): Edit {
  const share = splitter.both > 0 ? (clamp(length, splitter.min, splitter.max) * splitter.share) / splitter.both : 0;
  const most = splitter.share - MIN_SHARE;
  return { op: 'resize', item: splitter.id, size: clamp(round(share), Math.min(MIN_SHARE, most), most) };
}

/** Where a splitter stands between the two, in percent, for those who cannot see it. */
export function percentOf(splitter: Splitter, length: number): number {
  return splitter.both > 0 ? Math.round((100 * length) / splitter.both) : 0;
}

/** Two decimals are finer than a pixel, and stay short in files. */
function round(share: number): number {
  return Math.round(share * 100) / 100;
}
