// Edits: what a person or a program does to a tree, as values.
//
// An edit is JSON, the same on the wire and in the vectors, so that a page and the server do the
// same.

import type { Axis, ItemId, Json } from '../model.ts';

/** A change of a tree. */
export type Edit =
  /** Puts a new item somewhere, given in definition form. Its own size does not count. */
  | { readonly op: 'insert'; readonly item: Json; readonly place: Place }
  /** Puts an item somewhere else. Within its row or column it keeps its size. */
  | { readonly op: 'move'; readonly item: ItemId; readonly place: Place }
  /** Takes an item out, with all that is in it. */
  | { readonly op: 'remove'; readonly item: ItemId }
  /**
   * Moves the boundary between an item and the next of its row or column (before the last item:
   * the previous). The two share what they had. In percent.
   */
  | { readonly op: 'resize'; readonly item: ItemId; readonly size: number }
  /** Titles an item, or without one the workspace; without a title, or with a blank one, it goes. */
  | { readonly op: 'rename'; readonly item?: ItemId; readonly title?: string }
  /** Puts an item to another place among its siblings, counted from 0 without the item. */
  | { readonly op: 'reorder'; readonly item: ItemId; readonly index: number }
  /** Brings a tab to the front. */
  | { readonly op: 'select'; readonly item: ItemId };

/** Where an item goes. Indexes count from 0; for a move they count without the item itself. */
export type Place =
  /** It takes half of the target's space. A window in a group stands for its group. */
  | { readonly at: 'beside'; readonly target: ItemId; readonly side: Side }
  /**
   * As a tab. A window that is in no group becomes a group first; a group gives its windows.
   * Without an index: after the window, or last in the group.
   */
  | { readonly at: 'stack'; readonly target: ItemId; readonly index?: number }
  /** Along a whole side of the workspace. */
  | { readonly at: 'edge'; readonly side: Side }
  /** Into a container, or without one the top level, with an equal part of it. */
  | { readonly at: 'into'; readonly parent?: ItemId; readonly index?: number };

/** A side of an item or of the workspace. */
export type Side = 'left' | 'right' | 'top' | 'bottom';

/** The axis on which items must be laid out to be on this side of one another. */
export function sideAxis(side: Side): Axis {
  return side === 'left' || side === 'right' ? 'horizontal' : 'vertical';
}

/** Whether the side comes before what it is a side of. */
export function isBefore(side: Side): boolean {
  return side === 'left' || side === 'top';
}
