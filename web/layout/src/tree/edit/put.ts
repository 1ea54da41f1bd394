// Putting items somewhere.

import { ReadError } from '../diagnostic.ts';
import { axisOf, container, windowsOf } from '../model.ts';
import type { Axis, Item, ItemId, Json } from '../model.ts';
import { readItem } from '../read/read.ts';
import { anyGiven, scaled, shares, withShares, withSize } from '../sizes.ts';
import { checkIndex, shift } from './change.ts';
import { isBefore, sideAxis } from './edit.ts';
import type { Place, Side } from './edit.ts';
import { refusal } from './error.ts';
import { collapse, take } from './take.ts';
import { sameWay, split, startsWith } from './work.ts';
import type { Way, Work } from './work.ts';

export function insert(work: Work, given: Json, place: Place): void {
  const { item, diagnostics } = readNew(work, given);
  work.diagnostics = diagnostics;
  put(work, item, place);
}

function readNew(work: Work, given: Json): ReturnType<typeof readItem> {
  try {
    return readItem(given, work.ids);
  } catch (error) {
    throw error instanceof ReadError ? refusal.item(error) : error;
  }
}

export function relocate(work: Work, id: ItemId, place: Place): void {
  const way = work.way(id);
  const index = placeAmongSiblings(work, way, place);
  if (index !== undefined) return shift(work, way, index);
  checkMove(work, way, id, place);
  const { item, left } = take(work, way, id, place.at === 'into' ? place.parent : undefined);
  put(work, item, place);
  collapse(work, left);
}

/** The new place of an item that stays in its row or column, where `place` is in the same. */
function placeAmongSiblings(work: Work, way: Way, place: Place): number | undefined {
  const { above, place: from } = split(way);
  const axis = work.axis(above);
  if (axis === undefined) return undefined;
  const last = work.children(above).length - 1;
  switch (place.at) {
    case 'beside': {
      if (sideAxis(place.side) !== axis) return undefined;
      const target = split(work.way(place.target));
      if (!sameWay(target.above, above) || target.place === from) return undefined;
      return target.place + (isBefore(place.side) ? 0 : 1) - (from < target.place ? 1 : 0);
    }
    case 'edge': {
      if (sideAxis(place.side) !== axis) return undefined;
      const isTop = above.length === 0 && last > 0;
      const isOnly = sameWay(above, [0]) && work.tree.children.length === 1;
      if (!isTop && !isOnly) return undefined;
      return isBefore(place.side) ? 0 : last;
    }
    case 'into': {
      const parent = place.parent === undefined ? [] : work.way(place.parent);
      return sameWay(parent, above) ? (place.index ?? last) : undefined;
    }
    case 'stack':
      return undefined;
  }
}

/** Refuses places that would be gone with the item. */
function checkMove(work: Work, way: Way, id: ItemId, place: Place): void {
  const count = (item: Item | undefined): number => (item === undefined ? 0 : windowsOf([item]).length);
  const own = count(work.item(way));
  const isGone = (): boolean => {
    switch (place.at) {
      case 'beside':
      case 'stack': {
        const found = work.way(place.target);
        const { above } = split(found);
        const target = work.kind(above) === 'group' && !startsWith(found, way) ? above : found;
        return startsWith(target, way) || (startsWith(way, target) && count(work.item(target)) === own);
      }
      case 'edge':
        return windowsOf(work.tree.children).length === own;
      case 'into':
        return place.parent !== undefined && startsWith(work.way(place.parent), way);
    }
  };
  if (isGone()) throw refusal.intoItself(id);
}

function put(work: Work, given: Item, place: Place): void {
  const item = withSize(given, {});
  switch (place.at) {
    case 'beside': {
      const way = work.way(place.target);
      const { above } = split(way);
      return putBeside(work, item, work.kind(above) === 'group' ? above : way, place.side);
    }
    case 'stack':
      return putOnto(work, item, place.target, place.index);
    case 'edge':
      return putAtEdge(work, item, place.side);
    case 'into':
      return putInto(work, item, place.parent, place.index);
  }
}

/** Halves the space of what stands at `way`. */
function putBeside(work: Work, item: Item, way: Way, side: Side): void {
  const { above, place } = split(way);
  const axis = sideAxis(side);
  const siblings = work.children(above);
  const isAlone = above.length === 0 && siblings.length === 1;
  if (isAlone || work.axis(above) !== axis) return wrap(work, item, way, side);
  const list = shares(siblings, axis);
  const half = (list[place] ?? 0) / 2;
  const at = place + (isBefore(side) ? 0 : 1);
  const more = siblings.toSpliced(at, 0, item);
  const halved = list.with(place, half).toSpliced(at, 0, half);
  work.setChildren(above, anyGiven(siblings, axis) || more.length > 2 ? withShares(more, axis, halved) : more);
}

/** Puts a new row or column where something stands, and that with the item into it. */
function wrap(work: Work, item: Item, way: Way, side: Side): void {
  replace(work, way, splitOn(sideAxis(side)), (old) => (isBefore(side) ? [item, old] : [old, item]));
}

/** Replaces an item by a new container that holds it, and gets its sizes. */
function replace(work: Work, way: Way, kind: 'row' | 'column' | 'group', children: (old: Item) => Item[]): void {
  const id = work.ids.assign();
  work.change(way, (old) => ({ ...container(id, kind, children(withSize(old, {}))), size: old.size }));
}

function putOnto(work: Work, item: Item, target: ItemId, index: number | undefined): void {
  const way = work.way(target);
  const { above, place } = split(way);
  const kind = work.kind(way) ?? 'group';
  if (kind === 'group') return putTabs(work, item, way, index);
  if (kind !== 'window') throw refusal.notStackable(target, kind);
  if (work.kind(above) === 'group') return putTabs(work, item, above, index ?? place + 1);
  replace(work, way, 'group', (old) => [old]);
  putTabs(work, item, way, index);
}

/** Puts a window, or the windows of a group, among the tabs of a group, and in front. */
function putTabs(work: Work, item: Item, group: Way, index: number | undefined): void {
  if (item.kind !== 'window' && item.kind !== 'group') throw refusal.notATab(item.kind);
  const given = item.kind === 'window' ? [item] : item.children;
  const front = item.kind === 'window' ? 0 : (item.active ?? 0);
  const tabs = given.map((tab) => withSize(tab, {}));
  const windows = work.children(group);
  const at = index ?? windows.length;
  checkIndex(at, windows.length);
  work.setChildren(group, windows.toSpliced(at, 0, ...tabs));
  if (tabs.length > 0) work.setActive(group, at + front);
}

function putAtEdge(work: Work, item: Item, side: Side): void {
  const axis = sideAxis(side);
  const children = work.tree.children;
  const end = (count: number): number => (isBefore(side) ? 0 : count);
  const [first] = children;
  if (first === undefined) return work.setChildren([], [item]);
  if (children.length === 1) {
    if (axisOf(first.kind) !== axis) return wrap(work, item, [0], side);
    return putEqual(work, item, [0], end(work.children([0]).length));
  }
  if (axis === 'horizontal') return putEqual(work, item, [], end(children.length));
  work.setChildren([], [container(work.ids.assign(), 'row', children)]);
  wrap(work, item, [0], side);
}

function putInto(work: Work, item: Item, parent: ItemId | undefined, index: number | undefined): void {
  const way = parent === undefined ? [] : work.way(parent);
  const kind = work.kind(way);
  if (kind === 'window') throw refusal.notAContainer(parent ?? item.id);
  if (kind === 'group') return putTabs(work, item, way, index);
  const most = work.children(way).length;
  const at = index ?? most;
  checkIndex(at, most);
  putEqual(work, item, way, at);
}

/** Puts an item among siblings, with an equal part; the others keep their proportions. */
function putEqual(work: Work, item: Item, way: Way, at: number): void {
  const axis = work.axis(way);
  if (axis === undefined) return;
  const siblings = work.children(way);
  const share = 100 / (siblings.length + 1);
  const list = scaled(shares(siblings, axis), 100 - share).toSpliced(at, 0, share);
  const more = siblings.toSpliced(at, 0, item);
  work.setChildren(way, anyGiven(siblings, axis) ? withShares(more, axis, list) : more);
}

function splitOn(axis: Axis): 'row' | 'column' {
  return axis === 'horizontal' ? 'row' : 'column';
}
