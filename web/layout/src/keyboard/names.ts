// Words for items and places.

import type { Hit } from '../geometry/hit.ts';
import { paneOf, subjectId } from '../geometry/target.ts';
import type { Scene, Subject } from '../geometry/target.ts';
import { activeTab, findItem, nameOf } from '../tree/model.ts';
import type { Item, ItemId } from '../tree/model.ts';
import type { Texts } from './texts.ts';

/** A scene in words. */
export interface Spoken {
  readonly scene: Scene;
  readonly texts: Texts;
  /** What to call a window; the name of its application, if nothing better is known. */
  readonly name: (item: Item) => string;
}

/** A window by its name, a group by that of its front window, anything else by its title. */
export function itemName({ scene, name }: Pick<Spoken, 'scene' | 'name'>, id: ItemId): string {
  const item = findItem(scene.tree.children, id);
  if (item === undefined) return '';
  const front = item.kind === 'group' ? activeTab(item) : undefined;
  return name(item) || (front === undefined ? '' : name(front)) || nameOf(item);
}

/** Where a hit is, in words. A pane that only holds the dragged thing is not named after it. */
export function placeName(spoken: Spoken, subject: Subject, hit: Hit): string {
  const { scene, texts } = spoken;
  if (hit.on === 'edge') return texts.edge(hit.side);
  if (hit.on === 'canvas') return texts.into();
  const pane = paneOf(scene.picture, hit.pane);
  const own = subjectId(subject);
  const named = pane?.front === own ? pane.tabs.find((tab) => tab.id !== own)?.id : pane?.front;
  const name = itemName(spoken, named ?? hit.pane) || texts.empty;
  if (hit.on === 'zone' && hit.zone !== 'centre') return texts.beside(hit.zone, name);
  return pane === undefined || pane.tabs.length === 0 ? texts.into() : texts.stack(name);
}
