// Applying edits. An edit takes a tree and gives a new one; the old one is untouched and shares
// what did not change. An undo is the old tree.

import type { Diagnostic } from '../diagnostic.ts';
import type { IdSource } from '../ids.ts';
import type { ItemId, Tree } from '../model.ts';
import { walk } from '../model.ts';
import { attempt } from '../result.ts';
import type { Result } from '../result.ts';
import { rename, reorder, resize, select } from './change.ts';
import type { Edit } from './edit.ts';
import { EditError } from './error.ts';
import { insert, relocate } from './put.ts';
import { remove } from './take.ts';
import { Work } from './work.ts';

/** What an edit made. */
export interface Applied {
  readonly tree: Tree;
  /** Items that were not there before, in the order of the tree. */
  readonly added: readonly ItemId[];
  /** Items that are gone, in the order of the old tree; superfluous containers among them. */
  readonly removed: readonly ItemId[];
  /**
   * What the source of ids had to give, in order. The same edit with a source that gives these
   * makes the same tree elsewhere.
   */
  readonly assigned: readonly ItemId[];
  /** What could not be read of a new item as it stood. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies an edit.
 *
 * A row or column that lost an item to the edit and has one child left is replaced by that child,
 * which takes over its size; a container that lost its last child goes. Everything else stays as
 * it is, also containers that came with one child or none. Sizes are settled as in the normal form.
 */
export function apply(tree: Tree, edit: Edit, source: IdSource): Result<Applied, EditError> {
  return attempt(EditError, () => {
    const work = new Work(tree, source);
    run(work, edit);
    const done = work.finish();
    return { tree: done, added: missing(tree, done), removed: missing(done, tree), ...work.noted() };
  });
}

function run(work: Work, edit: Edit): void {
  switch (edit.op) {
    case 'insert':
      return insert(work, edit.item, edit.place);
    case 'move':
      return relocate(work, edit.item, edit.place);
    case 'remove':
      return remove(work, edit.item);
    case 'resize':
      return resize(work, edit.item, edit.size);
    case 'rename':
      return rename(work, edit.item, edit.title);
    case 'reorder':
      return reorder(work, edit.item, edit.index);
    case 'select':
      return select(work, edit.item);
  }
}

/** Ids of `tree` that `other` does not have. */
function missing(other: Tree, tree: Tree): ItemId[] {
  const there = new Set(walk(other.children).map(({ id }) => id));
  return walk(tree.children)
    .map(({ id }) => id)
    .filter((id) => !there.has(id));
}
