// The canvas by keyboard, its sentences, its roles.

export * as aria from './aria.ts';
export { pickUp, press, putBack, RESTING } from './machine.ts';
export type { Focus, Key, KeyboardState, Outcome } from './machine.ts';
export { itemName, placeName } from './names.ts';
export type { Spoken } from './names.ts';
export { ENGLISH } from './texts.ts';
export type { Texts } from './texts.ts';
