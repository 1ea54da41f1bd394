// The tree: model, reading, writing, normal form, edits, arrangement, history.

export { arrange, TooManyWindows } from './arrange.ts';
export { loses, ReadError } from './diagnostic.ts';
export type { Diagnostic, FaultCode, ReadErrorCode } from './diagnostic.ts';
export { apply } from './edit/apply.ts';
export type { Applied } from './edit/apply.ts';
export { isBefore, sideAxis } from './edit/edit.ts';
export type { Edit, Place, Side } from './edit/edit.ts';
export { EditError } from './edit/error.ts';
export type { EditErrorCode } from './edit/error.ts';
export * from './history.ts';
export { counter } from './ids.ts';
export type { IdSource } from './ids.ts';
export * from './limits.ts';
export { activeTab, axisOf, childrenOf, EMPTY_TREE, findItem, nameOf, walk, windowsOf } from './model.ts';
export type { Axis, Group, Item, ItemId, Json, JsonObject, Kind, Root, Size, Split, Tree, WindowItem } from './model.ts';
export { normalise } from './normalise.ts';
export { read } from './read/read.ts';
export type { Dialect, Policy, Read } from './read/read.ts';
export type { Result } from './result.ts';
export { shares } from './sizes.ts';
export { definition, itemDefinition, savedLayout } from './write.ts';
export type { WriteOptions } from './write.ts';
