// What a drop would do. It is found by doing it: the edit is applied to the tree at hand, and the
// preview is where the thing is in the picture of the result. So a preview cannot be wrong, and a
// place is refused exactly when the edit is.

import { apply } from '../tree/edit/apply.ts';
import type { Edit, Place } from '../tree/edit/edit.ts';
import type { EditError } from '../tree/edit/error.ts';
import { counter } from '../tree/ids.ts';
import type { ItemId, JsonObject, Tree } from '../tree/model.ts';
import type { Result } from '../tree/result.ts';
import type { Hit } from './hit.ts';
import type { Metrics } from './metrics.ts';
import { locate } from './picture.ts';
import type { Pane, Picture } from './picture.ts';
import type { Rect } from './rect.ts';

/** What is dragged: an item of the tree, or a new one in definition form, with an id that is free. */
export type Subject =
  | { readonly from: 'tree'; readonly id: ItemId; readonly name: string }
  | { readonly from: 'outside'; readonly item: JsonObject & { readonly id: ItemId }; readonly name: string };

/** A tree, drawn. */
export interface Scene {
  readonly tree: Tree;
  readonly picture: Picture;
  readonly metrics: Metrics;
}

/** A place where something may be dropped. */
export interface Target {
  readonly hit: Hit;
  readonly edit: Edit;
  /** The tree after the drop; its new containers have ids for the moment. */
  readonly after: Tree;
  /** Where it lands. */
  readonly preview: Rect;
  /** Where its tab lands, if it lands between tabs. */
  readonly tab: Rect | undefined;
}

export function subjectId(subject: Subject): ItemId {
  return subject.from === 'tree' ? subject.id : subject.item.id;
}

/** What a drop at `hit` does, or why it cannot be done. */
export function aim(scene: Scene, subject: Subject, hit: Hit): Result<Target, EditError> {
  const place = placeOf(scene.picture, subject, hit);
  const edit: Edit =
    subject.from === 'tree' ? { op: 'move', item: subject.id, place } : { op: 'insert', item: subject.item, place };
  const applied = apply(scene.tree, edit, counter('preview-'));
  if (!applied.ok) return applied;
  const after = applied.value.tree;
  const { canvas } = scene.picture;
  const id = subjectId(subject);
  const target = 'target' in place ? place.target : id;
  // A group whose windows became tabs is no longer there; they are where its target is.
  const landed = locate(after, id, canvas, scene.metrics) ?? locate(after, target, canvas, scene.metrics);
  const tab = hit.on === 'tab' ? landed?.pane?.tabs.find((one) => one.id === id)?.rect : undefined;
  return { ok: true, value: { hit, edit, after, preview: landed?.rect ?? canvas, tab } };
}

/** The place in the tree that a hit means. */
export function placeOf(picture: Picture, subject: Subject, hit: Hit): Place {
  switch (hit.on) {
    case 'canvas':
      return { at: 'into' };
    case 'edge':
      return { at: 'edge', side: hit.side };
    case 'tab':
      return { at: 'stack', target: hit.pane, index: indexFor(picture, subject, hit.pane, hit.index) };
    case 'zone': {
      if (hit.zone !== 'centre') return { at: 'beside', target: hit.pane, side: hit.zone };
      const kind = paneOf(picture, hit.pane)?.kind;
      const isEmpty = kind === 'row' || kind === 'column';
      return isEmpty ? { at: 'into', parent: hit.pane } : { at: 'stack', target: hit.pane };
    }
  }
}

export function paneOf(picture: Picture, id: ItemId): Pane | undefined {
  return picture.panes.find((pane) => pane.id === id);
}

/** An index among tabs, counted without the dragged one. */
function indexFor(picture: Picture, subject: Subject, pane: ItemId, index: number): number {
  const own = paneOf(picture, pane)?.tabs.findIndex((tab) => tab.id === subjectId(subject)) ?? -1;
  return own >= 0 && own < index ? index - 1 : index;
}
