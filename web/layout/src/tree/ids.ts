// Names of items, and where new ones come from.

import { MAX_ITEMS } from './limits.ts';
import type { ItemId } from './model.ts';

/**
 * Where ids of new items come from. A source that repeats itself, or gives an id that the tree
 * has, is asked again.
 */
export type IdSource = () => ItemId;

/** Counts: `i1`, `i2`, … for the prefix `i`. */
export function counter(prefix = 'i'): IdSource {
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}${last}`;
  };
}

/** Ids in use, with a source of further ones. */
export class Ids {
  /** What the source had to give, in order. */
  readonly assigned: ItemId[] = [];
  readonly #used = new Set<ItemId>();
  readonly #source: IdSource;

  constructor(source: IdSource) {
    this.#source = source;
  }

  /** Takes an id that was given; `false` if another item has it. */
  take(id: ItemId): boolean {
    if (this.#used.has(id)) return false;
    this.#used.add(id);
    return true;
  }

  /** A new id that nothing has. A source that never gives one is helped out with a suffix. */
  assign(): ItemId {
    let id = this.#source();
    for (let tries = 0; tries <= MAX_ITEMS && this.#used.has(id); tries += 1) id = this.#source();
    const stem = id;
    for (let suffix = 2; this.#used.has(id); suffix += 1) id = `${stem}-${suffix}`;
    this.#used.add(id);
    this.assigned.push(id);
    return id;
  }
}
