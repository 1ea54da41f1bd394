// The workspace tree. A tree is a value: edits make new ones that share what did not change.

/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The name of an item, unique in its tree. It stays with the item through every edit. */
export type ItemId = string;

/** The type of an item, as it is called in JSON. */
export type Kind = 'row' | 'column' | 'group' | 'window';

/** The direction in which a container lays out its children. */
export type Axis = 'horizontal' | 'vertical';

/** Width and height in percent of the container, above 0 and up to 100. */
export interface Size {
  /** Counts in a row. */
  readonly width?: number | undefined;
  /** Counts in a column. */
  readonly height?: number | undefined;
}

interface Common {
  readonly id: ItemId;
  /** Its share of its container, as given. Only the one along the container's axis counts. */
  readonly size: Size;
  /** The title, where it is not the application's. */
  readonly title?: string | undefined;
  /** Settings that layout does not know, verbatim. */
  readonly config: JsonObject;
  /** Keys beside `config` that layout does not know, verbatim. */
  readonly other: JsonObject;
}

/** Children side by side (`row`) or one below the other (`column`). */
export interface Split extends Common {
  readonly kind: 'row' | 'column';
  readonly children: readonly Item[];
}

/** Windows as tabs. */
export interface Group extends Common {
  readonly kind: 'group';
  readonly children: readonly WindowItem[];
  /** The tab in front. Absent means the first. */
  readonly active?: number | undefined;
}

/** The place of one application. It names an application, or a window that exists, or both. */
export interface WindowItem extends Common {
  readonly kind: 'window';
  readonly appName?: string | undefined;
  readonly windowId?: string | undefined;
  /** What the application is started with. */
  readonly context?: JsonObject | undefined;
}

/** A row, a column, a group or a window. */
export type Item = Split | Group | WindowItem;

/** A workspace: what is in it, and what belongs to it as a whole. */
export interface Tree {
  /** Usually one; several stand side by side, as in a row. */
  readonly children: readonly Item[];
  readonly root: Root;
}

/** What belongs to a workspace as a whole. Absent and null are the same; an empty object is kept. */
export interface Root {
  readonly config?: JsonObject | undefined;
  readonly context?: JsonObject | undefined;
  readonly frame?: JsonObject | undefined;
  /** Keys that layout does not know, verbatim. */
  readonly other: JsonObject;
}

export const EMPTY_TREE: Tree = { children: [], root: { other: {} } };

/** Reads the `type` of an item. */
export function parseKind(name: unknown): Kind | undefined {
  return name === 'row' || name === 'column' || name === 'group' || name === 'window' ? name : undefined;
}

/** The axis of a row or column. Tabs and windows have none. */
export function axisOf(kind: Kind): Axis | undefined {
  return kind === 'row' ? 'horizontal' : kind === 'column' ? 'vertical' : undefined;
}

/** What is in a container; nothing in a window. */
export function childrenOf(item: Item): readonly Item[] {
  return item.kind === 'window' ? [] : item.children;
}

/** A row, column or group without settings. */
export function container(id: ItemId, kind: 'row' | 'column' | 'group', children: readonly Item[]): Item {
  const common = { id, size: {}, config: {}, other: {} };
  return kind === 'group' ? { ...common, kind, children: children.filter(isWindow) } : { ...common, kind, children };
}

/** The item with other children. A group takes windows only; a window stays as it is. */
export function withChildren(item: Item, children: readonly Item[]): Item {
  if (item.kind === 'window') return item;
  return item.kind === 'group' ? { ...item, children: children.filter(isWindow) } : { ...item, children };
}

export function isWindow(item: Item): item is WindowItem {
  return item.kind === 'window';
}

/** The tab in front of a group that is not empty. */
export function activeTab(group: Group): WindowItem | undefined {
  return group.children[group.active ?? 0];
}

/** All items of a list and below them, each before what is in it. */
export function walk(items: readonly Item[]): Item[] {
  const found: Item[] = [];
  const visit = (item: Item): void => {
    found.push(item);
    if (item.kind !== 'window') item.children.forEach(visit);
  };
  items.forEach(visit);
  return found;
}

/** All windows, from left to right and top to bottom. */
export function windowsOf(items: readonly Item[]): WindowItem[] {
  return walk(items).filter(isWindow);
}

/** The item with this id, in a list or below it. */
export function findItem(items: readonly Item[], id: ItemId): Item | undefined {
  for (const item of items) {
    const found = item.id === id ? item : findItem(childrenOf(item), id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What to call an item: its title, else its application. */
export function nameOf(item: Item): string {
  if (item.title !== undefined) return item.title;
  return item.kind === 'window' ? (item.appName ?? item.windowId ?? '') : '';
}
