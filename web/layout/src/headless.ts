// All that needs no page: trees, geometry, the machines.

export * from './tree/index.ts';
export * from './geometry/index.ts';
export { DRAG_SETTINGS, IDLE, isActive, step } from './drag/machine.ts';
export type { DragEvent, DragSettings, DragState, Grip, PointerData, Why } from './drag/machine.ts';
export * from './keyboard/index.ts';
