// Directions on the canvas: what is next to what, and the way of a carried item over it.

import type { Hit, Zone } from '../geometry/hit.ts';
import type { Pane, Picture } from '../geometry/picture.ts';
import { paneOf } from '../geometry/target.ts';
import type { Rect } from '../geometry/rect.ts';
import { sideAxis } from '../tree/edit/edit.ts';
import type { Side } from '../tree/edit/edit.ts';

const OPPOSITE: Readonly<Record<Side, Side>> = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' };

/** The side that an arrow key points to. */
export function sideOf(key: string): Side | undefined {
  switch (key) {
    case 'ArrowLeft':
      return 'left';
    case 'ArrowRight':
      return 'right';
    case 'ArrowUp':
      return 'top';
    case 'ArrowDown':
      return 'bottom';
    default:
      return undefined;
  }
}

/** The pane on that side of another: the nearest, then the one with the longest common border. */
export function neighbour(picture: Picture, from: Pane, side: Side): Pane | undefined {
  let best: { pane: Pane; distance: number; common: number } | undefined;
  for (const pane of picture.panes) {
    const distance = gapTo(from.rect, pane.rect, side);
    const common = commonBorder(from.rect, pane.rect, side);
    if (pane.id === from.id || distance < 0 || common <= 0) continue;
    const isBetter = !best || distance < best.distance || (distance === best.distance && common > best.common);
    if (isBetter) best = { pane, distance, common };
  }
  return best?.pane;
}

/** The next place of a carried item in a direction: through the zones of a pane, to the next pane, to the edge. */
export function nextHit(picture: Picture, hit: Hit, side: Side): Hit | undefined {
  if (hit.on === 'canvas') return undefined;
  if (hit.on === 'edge') return fromEdge(picture, hit.side, side);
  const pane = paneOf(picture, hit.pane);
  if (pane === undefined) return undefined;
  const zone: Zone = hit.on === 'zone' ? hit.zone : 'centre';
  if (zone === OPPOSITE[side]) return { on: 'zone', pane: pane.id, zone: 'centre' };
  if (zone !== side) return { on: 'zone', pane: pane.id, zone: side };
  const next = neighbour(picture, pane, side);
  return next === undefined ? { on: 'edge', side } : { on: 'zone', pane: next.id, zone: OPPOSITE[side] };
}

function fromEdge(picture: Picture, edge: Side, side: Side): Hit | undefined {
  if (side === edge) return undefined;
  if (side !== OPPOSITE[edge]) return { on: 'edge', side };
  const pane = picture.panes.toSorted((a, b) => toCanvas(picture, a, edge) - toCanvas(picture, b, edge))[0];
  return pane === undefined ? undefined : { on: 'zone', pane: pane.id, zone: edge };
}

function toCanvas({ canvas }: Picture, { rect }: Pane, side: Side): number {
  return Math.abs(border(canvas, side) - border(rect, side));
}

function border(rect: Rect, side: Side): number {
  switch (side) {
    case 'left':
      return rect.x;
    case 'right':
      return rect.x + rect.width;
    case 'top':
      return rect.y;
    case 'bottom':
      return rect.y + rect.height;
  }
}

/** How far `to` is beyond a side of `from`; negative if it is not. */
function gapTo(from: Rect, to: Rect, side: Side): number {
  const distance = border(to, OPPOSITE[side]) - border(from, side);
  return side === 'left' || side === 'top' ? -distance : distance;
}

function commonBorder(a: Rect, b: Rect, side: Side): number {
  return sideAxis(side) === 'horizontal'
    ? Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
    : Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
}
