// Trees and scenes for tests, short to write.

import { counter, DEFAULT_METRICS, draw, read } from '../src/index.ts';
import type { Metrics, Scene, Tree } from '../src/index.ts';

/** A node in short: `'a'` is a window, `{row: […]}`, `{column: […]}` and `{group: […]}` hold others. */
export type Short = string | { row: Short[]; id?: string } | { column: Short[]; id?: string } | { group: Short[]; id?: string; active?: number };

export function treeOf(...items: Short[]): Tree {
  const found = read({ children: items.map(long) }, 'strict', counter('c'));
  if (!found.ok) throw found.error;
  return found.value.tree;
}

function long(item: Short): object {
  if (typeof item === 'string') return { type: 'window', id: item, appName: item.toUpperCase() };
  if ('row' in item) return { type: 'row', id: item.id, children: item.row.map(long) };
  if ('column' in item) return { type: 'column', id: item.id, children: item.column.map(long) };
  return { type: 'group', id: item.id, children: item.group.map(long), config: { activeTabIndex: item.active ?? 0 } };
}

export function sceneOf(tree: Tree, width = 1000, height = 600, metrics: Partial<Metrics> = {}): Scene {
  const all = { ...DEFAULT_METRICS, ...metrics };
  return { tree, metrics: all, picture: draw(tree, { x: 0, y: 0, width, height }, all) };
}
