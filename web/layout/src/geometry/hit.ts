// What is under a point while something is dragged.

import type { Side } from '../tree/edit/edit.ts';
import type { ItemId } from '../tree/model.ts';
import type { Metrics } from './metrics.ts';
import type { Pane, Picture } from './picture.ts';
import { contains, grown } from './rect.ts';
import type { Point } from './rect.ts';

/** One of five parts of a pane. */
export type Zone = 'centre' | Side;

/** Where something would go. */
export type Hit =
  /** A whole side of the canvas. */
  | { readonly on: 'edge'; readonly side: Side }
  /** Between tabs: before the tab at `index`, or after the last. */
  | { readonly on: 'tab'; readonly pane: ItemId; readonly index: number }
  | { readonly on: 'zone'; readonly pane: ItemId; readonly zone: Zone }
  /** A canvas with nothing on it. */
  | { readonly on: 'canvas' };

/** How far from a side its zone reaches, as a part of the pane. */
const REACH = 0.25;

/** How deep the sides of the canvas are where tabs lie along them, as a part of what they are elsewhere. */
const BESIDE_TABS = 1 / 3;

/** What is under a point; nothing outside the canvas. */
export function hitTest(picture: Picture, point: Point, metrics: Metrics): Hit | undefined {
  if (!contains(picture.canvas, point)) return undefined;
  if (picture.panes.length === 0) return { on: 'canvas' };
  const pane = paneAt(picture, point, metrics.gap);
  const isOnStrip = pane !== undefined && contains(pane.strip, point);
  // A tab is dragged along its strip by the middle, which is not to be taken for the side of the canvas.
  const side = edgeAt(picture, point, metrics.edge * (isOnStrip ? BESIDE_TABS : 1));
  if (side !== undefined) return { on: 'edge', side };
  if (pane === undefined) return undefined;
  if (isOnStrip) return { on: 'tab', pane: pane.id, index: tabIndex(pane, point, metrics.rtl) };
  return { on: 'zone', pane: pane.id, zone: zoneAt(pane, point) };
}

export function sameHit(a: Hit | undefined, b: Hit | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function edgeAt({ canvas }: Picture, point: Point, depth: number): Side | undefined {
  const [side, distance] = nearest(distances(canvas, point));
  return distance < depth ? side : undefined;
}

/** The pane at a point; a gap belongs to the pane before it. */
function paneAt(picture: Picture, point: Point, gap: number): Pane | undefined {
  const exact = picture.panes.find((pane) => contains(pane.rect, point));
  return exact ?? picture.panes.find((pane) => contains(grown(pane.rect, gap), point));
}

function zoneAt({ body }: Pane, point: Point): Zone {
  const { left, right, top, bottom } = distances(body, point);
  const [width, height] = [Math.max(body.width, 1), Math.max(body.height, 1)];
  const [side, part] = nearest({ left: left / width, right: right / width, top: top / height, bottom: bottom / height });
  return part < REACH ? side : 'centre';
}

/** The place among the tabs: before the first whose middle is beyond the point. */
function tabIndex(pane: Pane, point: Point, rtl: boolean): number {
  const isBeyond = ({ rect }: Pane['tabs'][number]): boolean => {
    if (rect === undefined) return false;
    const middle = rect.x + rect.width / 2;
    return rtl ? point.x > middle : point.x < middle;
  };
  const next = pane.tabs.findIndex(isBeyond);
  if (next >= 0) return next;
  return pane.tabs.findLastIndex(({ rect }) => rect !== undefined) + 1;
}

type Distances = Readonly<Record<Side, number>>;

function distances(rect: Point & { width: number; height: number }, { x, y }: Point): Distances {
  return { left: x - rect.x, right: rect.x + rect.width - x, top: y - rect.y, bottom: rect.y + rect.height - y };
}

function nearest({ left, right, top, bottom }: Distances): readonly [Side, number] {
  const across: readonly [Side, number] = left <= right ? ['left', left] : ['right', right];
  const down: readonly [Side, number] = top <= bottom ? ['top', top] : ['bottom', bottom];
  return across[1] <= down[1] ? across : down;
}
