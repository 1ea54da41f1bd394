// Why an edit cannot be done.

import type { ReadError, ReadErrorCode } from '../diagnostic.ts';
import { MAX_DEPTH, MAX_ITEMS, MAX_TITLE } from '../limits.ts';
import type { ItemId, Kind } from '../model.ts';

/** Refusals by names that never change; a new item that cannot be read has those of reading. */
export type EditErrorCode =
  | 'no-such-item'
  | 'into-itself'
  | 'not-a-tab'
  | 'not-stackable'
  | 'not-a-container'
  | 'bad-index'
  | 'no-boundary'
  | 'bad-size'
  | 'not-in-group'
  | 'title-too-long'
  | 'too-many-items'
  | 'too-deep'
  | ReadErrorCode;

/** Why an edit cannot be done. The tree is as it was. */
export class EditError extends Error {
  override readonly name = 'EditError';
  readonly code: EditErrorCode;
  /** Where a new item could not be read. */
  readonly path: string | undefined;

  constructor(code: EditErrorCode, message: string, path?: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

export const refusal = {
  noSuchItem: (id: ItemId) => new EditError('no-such-item', `there is no item \`${id}\``),
  item: (error: ReadError) => new EditError(error.code, `the new item cannot be read: ${error.message}`, error.path),
  intoItself: (id: ItemId) => new EditError('into-itself', `\`${id}\` cannot be put beside or into itself`),
  notATab: (kind: Kind) =>
    new EditError('not-a-tab', `only windows, and groups of them, can be tabs; a ${kind} cannot`),
  notStackable: (id: ItemId, kind: Kind) =>
    new EditError('not-stackable', `\`${id}\` is a ${kind}; tabs can be put onto a window or into a group`),
  notAContainer: (id: ItemId) =>
    new EditError('not-a-container', `\`${id}\` is a window; only rows, columns and groups hold items`),
  badIndex: (index: number, most: number) =>
    new EditError('bad-index', `there is no place ${index}; it is a whole number from 0 to ${most}`),
  noBoundary: (id: ItemId) =>
    new EditError('no-boundary', `\`${id}\` has no boundary that could move: it needs a neighbour in a row or column`),
  badSize: (size: number, min: number, max: number) =>
    new EditError('bad-size', `${size} is out of range: between ${min} and ${max} percent would leave room for both`),
  notInGroup: (id: ItemId) => new EditError('not-in-group', `\`${id}\` is no tab: it is not a window in a group`),
  titleTooLong: () => new EditError('title-too-long', `a title has at most ${MAX_TITLE} characters`),
  tooManyItems: () => new EditError('too-many-items', `a workspace has at most ${MAX_ITEMS} items`),
  tooDeep: () => new EditError('too-deep', `items nest at most ${MAX_DEPTH} levels deep`),
};
