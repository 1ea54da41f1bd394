// The browser's pointers, for the state machine: capture, one step for each frame, the clock of a
// held touch. Never the drag and drop of HTML: it does not cross sandboxed frames.

import type { Point } from '../geometry/rect.ts';
import type { Scene } from '../geometry/target.ts';
import { IDLE, isActive, step } from './machine.ts';
import type { DragEvent, DragState, Grip } from './machine.ts';

export interface PointerOptions {
  /** The canvas: it captures the pointer, and points count from its top left. */
  readonly canvas: HTMLElement;
  readonly scene: () => Scene;
  /** Told of every step that changed something. */
  readonly changed: (state: DragState, before: DragState) => void;
}

export interface Pointers {
  /** Lets drags begin on an element, where `gripAt` finds something. Gives what ends that. */
  listen(element: HTMLElement, gripAt: (target: Element) => Grip | undefined): () => void;
  abort(): void;
  destroy(): void;
}

export function pointers({ canvas, scene, changed }: PointerOptions): Pointers {
  const window = canvas.ownerDocument.defaultView ?? globalThis.window;
  const ended = new AbortController();
  let state: DragState = IDLE;
  let frame = 0;
  let waiting: PointerEvent | undefined;
  let clock: number | undefined;

  function feed(event: DragEvent): void {
    const before = state;
    state = step(state, event, scene());
    if (state === before) return;
    if (!isActive(state)) rest(before);
    changed(state, before);
  }

  /** The latest move, if a frame is still to come for it. */
  function flush(): void {
    window.cancelAnimationFrame(frame);
    frame = 0;
    const event = waiting;
    waiting = undefined;
    if (event !== undefined) feed({ type: 'move', ...data(event) });
  }

  function rest(before: DragState): void {
    window.clearTimeout(clock);
    window.cancelAnimationFrame(frame);
    frame = 0;
    waiting = undefined;
    if (isActive(before) && canvas.hasPointerCapture(before.pointer)) canvas.releasePointerCapture(before.pointer);
  }

  function down(event: PointerEvent, gripAt: (target: Element) => Grip | undefined): void {
    if (isActive(state) || !(event.target instanceof window.Element)) return;
    const grip = gripAt(event.target);
    if (grip === undefined) return;
    feed({ type: 'down', touch: event.pointerType === 'touch', grip, ...data(event) });
    capture(event.pointerId);
    const { holdUntil } = pressed();
    if (holdUntil !== undefined) {
      clock = window.setTimeout(() => feed({ type: 'tick', time: holdUntil }), holdUntil - event.timeStamp);
    }
  }

  function pressed(): { holdUntil?: number | undefined } {
    return state.phase === 'pressed' ? state : {};
  }

  function capture(pointer: number): void {
    try {
      canvas.setPointerCapture(pointer);
    } catch {
      // The pointer is gone already; there will be no up.
      feed({ type: 'lost', pointer });
    }
  }

  function data(event: PointerEvent): { pointer: number; point: Point; buttons: number; time: number } {
    const box = canvas.getBoundingClientRect();
    const point = { x: event.clientX - box.left - canvas.clientLeft, y: event.clientY - box.top - canvas.clientTop };
    return { pointer: event.pointerId, point, buttons: event.buttons, time: event.timeStamp };
  }

  const on = { signal: ended.signal };
  canvas.addEventListener(
    'pointermove',
    (event) => {
      if (!isActive(state)) return;
      waiting = event;
      if (frame === 0) frame = window.requestAnimationFrame(flush);
    },
    on,
  );
  canvas.addEventListener(
    'pointerup',
    (event) => {
      flush();
      feed({ type: 'up', ...data(event) });
    },
    on,
  );
  for (const type of ['pointercancel', 'lostpointercapture'] as const) {
    canvas.addEventListener(type, (event) => feed({ type: 'lost', pointer: event.pointerId }), on);
  }
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !isActive(state)) return;
      event.preventDefault();
      event.stopPropagation();
      feed({ type: 'escape' });
    },
    { ...on, capture: true },
  );

  return {
    listen(element, gripAt) {
      const until = new AbortController();
      const signal = AbortSignal.any([ended.signal, until.signal]);
      element.addEventListener('pointerdown', (event) => down(event, gripAt), { signal });
      // A touch that drags does not scroll, and a long one opens no menu.
      const prevent = (event: Event): void => {
        if (state.phase === 'dragging' || state.phase === 'resizing') event.preventDefault();
      };
      element.addEventListener('touchmove', prevent, { signal, passive: false });
      element.addEventListener(
        'contextmenu',
        (event) => {
          if (isActive(state)) event.preventDefault();
        },
        { signal },
      );
      return () => until.abort();
    },
    abort: () => feed({ type: 'abort' }),
    destroy() {
      feed({ type: 'abort' });
      ended.abort();
    },
  };
}
