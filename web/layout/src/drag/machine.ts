// A drag as a state machine. Pointers come in as data, with their time; what comes out is the next
// state. Nothing here knows the DOM; `pointer.ts` feeds it.
//
//   idle ─down─► pressed ─threshold, or hold by touch─► dragging ─up on a target─► dropped
//                   │            (a splitter: resizing)    │
//                   ├─up─► clicked                         └─Escape, lost, outside…─► cancelled
//                   └─Escape, lost, scrolled─► cancelled
//
// `clicked`, `dropped` and `cancelled` rest as `idle` does, and say how the last one ended.

import { hitTest, sameHit } from '../geometry/hit.ts';
import type { Splitter } from '../geometry/picture.ts';
import type { Point } from '../geometry/rect.ts';
import { lengthFor, resizeTo } from '../geometry/resize.ts';
import { aim } from '../geometry/target.ts';
import type { Scene, Subject, Target } from '../geometry/target.ts';
import { apply } from '../tree/edit/apply.ts';
import type { Edit } from '../tree/edit/edit.ts';
import { counter } from '../tree/ids.ts';
import type { ItemId, Tree } from '../tree/model.ts';

/** What was grabbed. */
export type Grip =
  | { readonly on: 'subject'; readonly subject: Subject }
  | { readonly on: 'splitter'; readonly id: ItemId };

export interface PointerData {
  readonly pointer: number;
  readonly point: Point;
  /** As in Pointer Events: 1 is the primary button, or a touch. */
  readonly buttons: number;
  /** In milliseconds, by any clock that does not go back. */
  readonly time: number;
}

export type DragEvent =
  | ({ readonly type: 'down'; readonly touch: boolean; readonly grip: Grip } & PointerData)
  | ({ readonly type: 'move' } & PointerData)
  | ({ readonly type: 'up' } & PointerData)
  /** The pointer is gone without an up: cancelled by the browser, or its capture was lost. */
  | { readonly type: 'lost'; readonly pointer: number }
  /** Time went by. */
  | { readonly type: 'tick'; readonly time: number }
  | { readonly type: 'escape' }
  /** Whoever shows the canvas wants no drag now. */
  | { readonly type: 'abort' };

/** Why nothing came of a drag. */
export type Why = 'escape' | 'lost' | 'scrolled' | 'outside' | 'refused' | 'aborted';

interface Pressed {
  readonly phase: 'pressed';
  readonly pointer: number;
  readonly grip: Grip;
  readonly from: Point;
  /** When a touch that stays becomes a drag. */
  readonly holdUntil: number | undefined;
}

interface Dragging {
  readonly phase: 'dragging';
  readonly pointer: number;
  readonly subject: Subject;
  readonly at: Point;
  /** The tree that `target` is about. */
  readonly tree: Tree;
  readonly target: Target | undefined;
  /** Whether the place under the pointer is refused. */
  readonly refused: boolean;
}

interface Resizing {
  readonly phase: 'resizing';
  readonly pointer: number;
  readonly splitter: Splitter;
  /** From the pointer to the splitter. */
  readonly offset: number;
  readonly length: number;
  readonly edit: Edit;
  /** The tree with the sizes of the moment. */
  readonly after: Tree;
}

export type DragState =
  | { readonly phase: 'idle' }
  | Pressed
  | Dragging
  | Resizing
  | { readonly phase: 'clicked'; readonly grip: Grip }
  | { readonly phase: 'dropped'; readonly edit: Edit; readonly subject: Subject | undefined }
  | { readonly phase: 'cancelled'; readonly why: Why };

export interface DragSettings {
  /** How far a pointer goes before a press is a drag, in pixels. */
  readonly threshold: number;
  /** How long a touch stays before it is a drag, in milliseconds. */
  readonly hold: number;
  /** How far a touch may go in that time; further, it scrolls. */
  readonly slop: number;
}

export const DRAG_SETTINGS: DragSettings = { threshold: 4, hold: 350, slop: 10 };

export const IDLE: DragState = { phase: 'idle' };

/** Whether a pointer is held. */
export function isActive(state: DragState): state is Pressed | Dragging | Resizing {
  return state.phase === 'pressed' || state.phase === 'dragging' || state.phase === 'resizing';
}

/** The next state. `scene` is what is shown now; it may change in the middle of a drag. */
export function step(state: DragState, event: DragEvent, scene: Scene, settings = DRAG_SETTINGS): DragState {
  if (!isActive(state)) return event.type === 'down' && event.buttons === 1 ? press(event, settings) : state;
  switch (event.type) {
    case 'escape':
      return cancelled('escape');
    case 'abort':
      return cancelled('aborted');
    case 'tick':
      return hold(state, event.time, scene);
    case 'down':
      return state;
    case 'lost':
      return event.pointer === state.pointer ? cancelled('lost') : state;
    case 'move':
      if (event.pointer !== state.pointer) return state;
      return event.buttons === 0 ? cancelled('lost') : move(state, event, scene, settings);
    case 'up':
      return event.pointer === state.pointer ? release(state, event, scene) : state;
  }
}

function press(event: DragEvent & { type: 'down' }, settings: DragSettings): Pressed {
  const { pointer, grip, point } = event;
  const holds = event.touch && grip.on === 'subject';
  return { phase: 'pressed', pointer, grip, from: point, holdUntil: holds ? event.time + settings.hold : undefined };
}

function hold(state: Pressed | Dragging | Resizing, time: number, scene: Scene): DragState {
  const isDue = state.phase === 'pressed' && state.holdUntil !== undefined && time >= state.holdUntil;
  return isDue ? begin(state, state.from, scene) : state;
}

function move(state: Pressed | Dragging | Resizing, event: PointerData, scene: Scene, settings: DragSettings): DragState {
  if (state.phase !== 'pressed') return follow(state, event.point, scene);
  const way = Math.hypot(event.point.x - state.from.x, event.point.y - state.from.y);
  if (state.holdUntil === undefined) return way < settings.threshold ? state : begin(state, event.point, scene);
  if (event.time >= state.holdUntil) return begin(state, event.point, scene);
  return way > settings.slop ? cancelled('scrolled') : state;
}

function begin(state: Pressed, point: Point, scene: Scene): DragState {
  const { pointer, grip, from } = state;
  if (grip.on === 'subject') {
    const none = { target: undefined, refused: false };
    return follow({ phase: 'dragging', pointer, subject: grip.subject, at: from, tree: scene.tree, ...none }, point, scene);
  }
  const splitter = scene.picture.splitters.find((one) => one.id === grip.id);
  if (splitter === undefined) return cancelled('lost');
  const offset = splitter.start + splitter.length - coordinate(from, splitter);
  const edit = resizeTo(splitter, splitter.length);
  const resizing: Resizing = { phase: 'resizing', pointer, splitter, offset, length: splitter.length, edit, after: scene.tree };
  return follow(resizing, point, scene);
}

function follow(state: Dragging | Resizing, point: Point, scene: Scene): DragState {
  return state.phase === 'dragging' ? over(state, point, scene) : resize(state, point, scene);
}

/** What is under the pointer is computed anew only where it is something else. */
function over(state: Dragging, at: Point, scene: Scene): Dragging {
  const hit = hitTest(scene.picture, at, scene.metrics);
  if (hit === undefined) return { ...state, at, target: undefined, refused: false };
  if (state.tree === scene.tree && sameHit(hit, state.target?.hit)) return { ...state, at };
  const target = aim(scene, state.subject, hit);
  return { ...state, at, tree: scene.tree, target: target.ok ? target.value : undefined, refused: !target.ok };
}

function resize(state: Resizing, point: Point, scene: Scene): DragState {
  const splitter = scene.picture.splitters.find((one) => one.id === state.splitter.id);
  if (splitter === undefined) return cancelled('lost');
  const length = lengthFor(splitter, coordinate(point, splitter) + state.offset - splitter.start);
  const edit = resizeTo(splitter, length);
  const applied = apply(scene.tree, edit, counter('preview-'));
  return { ...state, splitter, length, edit, after: applied.ok ? applied.value.tree : scene.tree };
}

function release(state: Pressed | Dragging | Resizing, event: PointerData, scene: Scene): DragState {
  if (state.phase === 'pressed') return { phase: 'clicked', grip: state.grip };
  const last = follow(state, event.point, scene);
  if (last.phase === 'resizing') {
    const moved = last.length !== last.splitter.length;
    return moved ? { phase: 'dropped', edit: last.edit, subject: undefined } : IDLE;
  }
  if (last.phase !== 'dragging') return last;
  if (last.target !== undefined) return { phase: 'dropped', edit: last.target.edit, subject: last.subject };
  return cancelled(last.refused ? 'refused' : 'outside');
}

function coordinate(point: Point, splitter: Splitter): number {
  return splitter.axis === 'horizontal' ? point.x : point.y;
}

function cancelled(why: Why): DragState {
  return { phase: 'cancelled', why };
}
