// All that the canvas says, in one table, so that it can be said in another language.

import type { Side } from '../tree/edit/edit.ts';

export interface Texts {
  readonly canvas: string;
  /** How the keys work; read once, when the focus comes in. */
  readonly help: string;
  readonly empty: string;
  tabs(name: string): string;
  close(name: string): string;
  splitter(before: string, after: string): string;
  /** Where something goes; stands by itself as a label. */
  edge(side: Side): string;
  beside(side: Side, name: string): string;
  stack(name: string): string;
  into(): string;
  refused(): string;
  pickedUp(name: string): string;
  over(name: string, where: string): string;
  nowhere(): string;
  dropped(name: string, where: string): string;
  putBack(name: string): string;
  selected(name: string, place: number, of: number): string;
  moved(name: string, place: number, of: number): string;
  closed(name: string): string;
  resized(name: string, percent: number): string;
  locked(): string;
}

const SIDES: Readonly<Record<Side, string>> = { left: 'left', right: 'right', top: 'top', bottom: 'bottom' };
const BESIDE: Readonly<Record<Side, string>> = { left: 'left of', right: 'right of', top: 'above', bottom: 'below' };

export const ENGLISH: Texts = {
  canvas: 'Workspace',
  help: 'Enter picks up a tab, arrow keys move, Shift and arrow keys reorder, Delete closes, F6 goes to the next pane.',
  empty: 'Empty',
  tabs: (name) => `Tabs: ${name}`,
  close: (name) => `Close ${name}`,
  splitter: (before, after) => `Boundary between ${before} and ${after}`,
  edge: (side) => `full ${side === 'left' || side === 'right' ? 'height' : 'width'}, ${SIDES[side]}`,
  beside: (side, name) => `${BESIDE[side]} ${name}`,
  stack: (name) => `as a tab of ${name}`,
  into: () => 'here',
  refused: () => 'not here',
  pickedUp: (name) => `Picked up ${name}. Choose a place with the arrow keys; Enter drops, Escape puts it back.`,
  over: (name, where) => `${name}: ${where}`,
  nowhere: () => 'Nothing further in this direction.',
  dropped: (name, where) => `Dropped ${name} ${where}.`,
  putBack: (name) => `${name} is back where it was.`,
  selected: (name, place, of) => `${name}, tab ${place} of ${of}.`,
  moved: (name, place, of) => `${name} is tab ${place} of ${of} now.`,
  closed: (name) => `Closed ${name}.`,
  resized: (name, percent) => `${name}: ${percent} percent.`,
  locked: () => 'The workspace cannot be changed now.',
};
