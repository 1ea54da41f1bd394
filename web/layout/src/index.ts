// What the other packages use.

export * from './headless.ts';
export { pointers } from './drag/pointer.ts';
export type { PointerOptions, Pointers } from './drag/pointer.ts';
export * from './dom/index.ts';
