// The arrangement of windows about which nothing was said.

import { Ids } from './ids.ts';
import type { IdSource } from './ids.ts';
import { MAX_ITEMS } from './limits.ts';
import { container, walk } from './model.ts';
import type { Item, Tree } from './model.ts';
import type { Result } from './result.ts';
import { withSize } from './sizes.ts';

/** Too many windows to arrange. */
export class TooManyWindows extends Error {
  override readonly name = 'TooManyWindows';

  constructor(windows: number) {
    super(`${windows} windows are too many: a workspace has at most ${MAX_ITEMS} items, rows and groups included`);
  }
}

/**
 * Arranges windows: one stands alone; two stand in a row; more stand in a near-square grid of
 * groups, as a column of rows, the fuller rows first.
 *
 * A window may carry a size; its group takes it over. Ids that clash are replaced.
 */
export function arrange(windows: readonly Item[], source: IdSource): Result<Tree, TooManyWindows> {
  const ids = new Ids(source);
  const items = windows.map((item) => (item.id !== '' && ids.take(item.id) ? item : { ...item, id: ids.assign() }));
  const children = items.length < 2 ? items : [items.length === 2 ? container(ids.assign(), 'row', items) : grid(items, ids)];
  if (walk(children).length > MAX_ITEMS) return { ok: false, error: new TooManyWindows(windows.length) };
  return { ok: true, value: { children, root: { other: {} } } };
}

/** Rows of at most ⌈√n⌉ groups, as equal in number as can be. */
function grid(items: readonly Item[], ids: Ids): Item {
  const down = Math.ceil(items.length / Math.ceil(Math.sqrt(items.length)));
  const id = ids.assign();
  const rows: Item[] = [];
  let taken = 0;
  for (let place = 0; place < down; place += 1) {
    const long = Math.floor(items.length / down) + (place < items.length % down ? 1 : 0);
    const part = items.slice(taken, taken + long);
    taken += long;
    const [only] = part;
    if (only !== undefined && part.length === 1) {
      rows.push(group(only, ids));
    } else {
      const row = ids.assign();
      rows.push(container(row, 'row', part.map((item) => group(item, ids))));
    }
  }
  return container(id, 'column', rows);
}

function group(item: Item, ids: Ids): Item {
  if (item.kind !== 'window') return item;
  return { ...container(ids.assign(), 'group', [withSize(item, {})]), size: item.size };
}
