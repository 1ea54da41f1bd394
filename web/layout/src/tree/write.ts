// Writing: a tree as JSON, in either dialect.

import { childrenOf } from './model.ts';
import type { Item, Json, JsonObject, Tree } from './model.ts';

/** Whether ids of items are written. */
export interface WriteOptions {
  /** With ids for whoever will name items; without for definitions, whose readers give their own. */
  readonly ids: boolean;
}

interface Style extends WriteOptions {
  /** `appName`, `windowId` and `context` of a window stand in its `config`. */
  readonly saved: boolean;
}

/** The definition form: `{children, config, context, frame}` and what else the root holds. */
export function definition(tree: Tree, options: WriteOptions): JsonObject {
  return writeRoot(tree, { ...options, saved: false });
}

/**
 * The saved-layout form, under a name. What else a layout holds (metadata, the application of the
 * frame) is the caller's to add.
 */
export function savedLayout(tree: Tree, name: string, options: WriteOptions): JsonObject {
  const state = writeRoot(tree, { ...options, saved: true });
  return { name, type: 'Workspace', components: [{ type: 'Workspace', state }] };
}

/** One item in definition form. */
export function itemDefinition(item: Item, options: WriteOptions): JsonObject {
  return writeItem(item, { ...options, saved: false });
}

function writeRoot(tree: Tree, style: Style): JsonObject {
  const { config, context, frame, other } = tree.root;
  return { children: writeList(tree.children, style), ...said({ config, context, frame }), ...other };
}

function writeList(items: readonly Item[], style: Style): Json[] {
  return items.map((item) => writeItem(item, style));
}

function writeItem(item: Item, style: Style): JsonObject {
  const { width, height } = item.size;
  const own =
    item.kind === 'window'
      ? said({ appName: item.appName, windowId: item.windowId, context: item.context })
      : { children: writeList(childrenOf(item), style) };
  const inConfig = item.kind === 'window' && style.saved;
  const config = {
    ...(inConfig ? own : {}),
    ...said({ activeTabIndex: item.kind === 'group' ? item.active : undefined, title: item.title, width, height }),
    ...item.config,
  };
  return {
    ...(style.ids ? { id: item.id } : {}),
    type: item.kind,
    ...(inConfig ? {} : own),
    ...(Object.keys(config).length > 0 ? { config } : {}),
    ...item.other,
  };
}

/** What has a value. */
function said(values: { readonly [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
