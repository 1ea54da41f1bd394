// Changes that leave every item in its container: sizes, titles, order, the tab in front.

import { without } from '../json.ts';
import { MAX_TITLE, MIN_SHARE } from '../limits.ts';
import type { ItemId, Root } from '../model.ts';
import { shares, withShares } from '../sizes.ts';
import { characters, isBlank } from '../text.ts';
import { refusal } from './error.ts';
import { split } from './work.ts';
import type { Way, Work } from './work.ts';

export function resize(work: Work, id: ItemId, size: number): void {
  const { above, place } = split(work.way(id));
  const axis = work.axis(above);
  if (axis === undefined) throw refusal.noBoundary(id);
  const siblings = work.children(above);
  const list = shares(siblings, axis);
  const next = place + 1 < list.length ? place + 1 : place - 1;
  const own = list[place];
  const other = list[next];
  if (own === undefined || other === undefined) throw refusal.noBoundary(id);
  const both = own + other;
  const max = both - MIN_SHARE;
  if (!(size >= MIN_SHARE && size <= max)) throw refusal.badSize(size, MIN_SHARE, max);
  const changed = list.with(place, size).with(next, both - size);
  work.setChildren(above, withShares(siblings, axis, changed));
}

export function rename(work: Work, id: ItemId | undefined, given: string | undefined): void {
  const title = given === undefined || isBlank(given) ? undefined : given;
  if (title !== undefined && characters(title) > MAX_TITLE) throw refusal.titleTooLong();
  if (id !== undefined) {
    work.change(work.way(id), (item) => ({ ...item, title }));
    return;
  }
  work.tree = { ...work.tree, root: titled(work.tree.root, title) };
}

function titled(root: Root, title: string | undefined): Root {
  if (title !== undefined) return { ...root, config: { ...root.config, title } };
  return root.config === undefined ? root : { ...root, config: without(root.config, ['title']) };
}

export function reorder(work: Work, id: ItemId, index: number): void {
  shift(work, work.way(id), index);
}

/** Puts an item to another place among its siblings; the tab in front stays in front. */
export function shift(work: Work, way: Way, to: number): void {
  const { above, place: from } = split(way);
  const siblings = work.children(above);
  const item = siblings[from];
  checkIndex(to, siblings.length - 1);
  if (item === undefined) return;
  const front = work.active(above);
  work.setChildren(above, siblings.toSpliced(from, 1).toSpliced(to, 0, item));
  work.setActive(above, shifted(front, from, to));
}

/** Where a tab is after another one went from `from` to `to`. */
function shifted(tab: number, from: number, to: number): number {
  if (tab === from) return to;
  if (from < tab && tab <= to) return tab - 1;
  return to <= tab && tab < from ? tab + 1 : tab;
}

export function checkIndex(index: number, most: number): void {
  if (!(Number.isInteger(index) && index >= 0 && index <= most)) throw refusal.badIndex(index, Math.max(most, 0));
}

export function select(work: Work, id: ItemId): void {
  const { above, place } = split(work.way(id));
  if (work.kind(above) !== 'group') throw refusal.notInGroup(id);
  work.setActive(above, place);
}
