// A tree on a canvas: the rectangles of all that is seen. Nothing nests: a window is a rectangle
// with an id, wherever in the tree it stands, so an edit moves rectangles and nothing else.

import { axisOf, childrenOf, findItem } from '../tree/model.ts';
import type { Axis, Item, ItemId, Kind, Tree } from '../tree/model.ts';
import { divide, lengthOf, slice, startOf } from './divide.ts';
import type { Part } from './divide.ts';
import type { Metrics } from './metrics.ts';
import type { Rect } from './rect.ts';
import { tabRects } from './tabs.ts';

/** A group, a window in no group, or an empty container. */
export interface Pane {
  readonly id: ItemId;
  /** `row` and `column` only if empty. */
  readonly kind: Kind;
  readonly rect: Rect;
  /** The strip of tabs; without height where there are none. */
  readonly strip: Rect;
  /** What is below the strip. */
  readonly body: Rect;
  readonly tabs: readonly Tab[];
  /** The window in front. */
  readonly front: ItemId | undefined;
}

/** The tab of a window. */
export interface Tab {
  readonly id: ItemId;
  /** Absent where the strip has no room for it. */
  readonly rect: Rect | undefined;
}

/** Where a window is; all windows of a group are in the same place. */
export interface WindowBox {
  readonly id: ItemId;
  readonly pane: ItemId;
  readonly rect: Rect;
  /** Whether it is seen, not behind another tab. */
  readonly front: boolean;
}

/** The boundary between two neighbours, named after the first. */
export interface Splitter {
  readonly id: ItemId;
  readonly after: ItemId;
  /** The axis along which it moves. */
  readonly axis: Axis;
  readonly rect: Rect;
  /** Where the first one begins on that axis. */
  readonly start: number;
  /** Length of the first one, and of both, without the gap. */
  readonly length: number;
  readonly both: number;
  /** The least and the most length of the first one. */
  readonly min: number;
  readonly max: number;
  /** What both have of their container, in percent. */
  readonly share: number;
}

export interface Picture {
  readonly canvas: Rect;
  readonly panes: readonly Pane[];
  readonly windows: readonly WindowBox[];
  readonly splitters: readonly Splitter[];
  /** Where each item is; a tab is where its group is. */
  readonly areas: ReadonlyMap<ItemId, Rect>;
}

/** Where an item is; without a pane for a row or column with something in it. */
export interface Located {
  readonly rect: Rect;
  readonly pane: Pane | undefined;
}

/**
 * Draws a tree. Edges are whole pixels. With an item that fills the canvas, the others stay where
 * they are, behind it, so that nothing in them changes its size twice.
 */
export function draw(tree: Tree, canvas: Rect, metrics: Metrics, maximized?: ItemId): Picture {
  const whole = drawAll(tree.children, canvas, metrics);
  const item = maximized === undefined ? undefined : filling(tree.children, maximized);
  if (item === undefined) return whole;
  const alone = drawAll([item], canvas, metrics);
  const seen = new Map(alone.windows.map((box) => [box.id, box]));
  const windows = whole.windows.map((box) => seen.get(box.id) ?? { ...box, front: false });
  return { ...alone, windows, areas: new Map([...whole.areas, ...alone.areas]) };
}

/** What fills the canvas when an item is to: a tab does with its group. */
function filling(items: readonly Item[], id: ItemId): Item | undefined {
  for (const item of items) {
    if (item.id === id) return item;
    const found = filling(childrenOf(item), id);
    if (found !== undefined) return item.kind === 'group' ? item : found;
  }
  return undefined;
}

function drawAll(items: readonly Item[], canvas: Rect, metrics: Metrics): Picture {
  const panes: Pane[] = [];
  const windows: WindowBox[] = [];
  const splitters: Splitter[] = [];
  const areas = new Map<ItemId, Rect>();

  function drawItem(item: Item, rect: Rect): void {
    areas.set(item.id, rect);
    const axis = axisOf(item.kind);
    const children = childrenOf(item);
    if (axis !== undefined && children.length > 0) {
      drawList(children, axis, rect);
      return;
    }
    const pane = drawPane(item, rect, metrics);
    panes.push(pane);
    for (const { id } of pane.tabs) {
      areas.set(id, rect);
      windows.push({ id, pane: item.id, rect: pane.body, front: id === pane.front });
    }
  }

  function drawList(list: readonly Item[], axis: Axis, rect: Rect): void {
    const parts = divide(list, axis, rect, metrics);
    parts.forEach((part, place) => {
      drawItem(part.item, part.rect);
      const next = parts[place + 1];
      if (next !== undefined) splitters.push(between(part, next, axis, metrics));
    });
  }

  drawList(items, 'horizontal', canvas);
  return { canvas, panes, windows, splitters, areas };
}

/** Finds an item without drawing the rest. */
export function locate(tree: Tree, id: ItemId, canvas: Rect, metrics: Metrics): Located | undefined {
  let items = tree.children;
  let axis: Axis = 'horizontal';
  let rect = canvas;
  for (;;) {
    const part: Part | undefined = divide(items, axis, rect, metrics).find(({ item }) => findItem([item], id) !== undefined);
    if (part === undefined) return undefined;
    const inner = axisOf(part.item.kind);
    const isPane = inner === undefined || childrenOf(part.item).length === 0;
    if (isPane) return { rect: part.rect, pane: drawPane(part.item, part.rect, metrics) };
    if (part.item.id === id) return { rect: part.rect, pane: undefined };
    [items, axis, rect] = [childrenOf(part.item), inner, part.rect];
  }
}

function drawPane(item: Item, rect: Rect, metrics: Metrics): Pane {
  const { id, kind } = item;
  const windows = kind === 'window' ? [item] : childrenOf(item);
  const height = windows.length === 0 ? 0 : Math.min(metrics.strip, rect.height);
  const strip = { x: rect.x, y: rect.y, width: rect.width, height };
  const body = { x: rect.x, y: rect.y + height, width: rect.width, height: rect.height - height };
  const active = item.kind === 'group' ? (item.active ?? 0) : 0;
  const tools = Math.min(metrics.tools, strip.width / 2);
  const forTabs = { ...strip, x: strip.x + (metrics.rtl ? tools : 0), width: strip.width - tools };
  const places = tabRects(forTabs, windows.length, active, metrics);
  const tabs = windows.map((window, place) => ({ id: window.id, rect: places[place] }));
  return { id, kind, rect, strip, body, tabs, front: windows[active]?.id };
}

function between(part: Part, next: Part, axis: Axis, { gap }: Metrics): Splitter {
  const start = startOf(part.rect, axis);
  const length = lengthOf(part.rect, axis);
  const both = length + lengthOf(next.rect, axis);
  return {
    id: part.item.id,
    after: next.item.id,
    axis,
    rect: slice(part.rect, axis, start + length, gap),
    start,
    length,
    both,
    min: Math.min(part.least, length),
    max: Math.max(both - next.least, length),
    share: part.share + next.share,
  };
}
