// What comes too often is passed on now and then, and the last of it always.

import type { Clock } from '../desktop/clock.ts';

export interface Pace<T> {
  push(value: T): void;
  stop(): void;
}

/** Passes a value on at once, and those that come within `ms` of it as one, later: the last. */
export function createPace<T>(ms: number, clock: Pick<Clock, 'later'>, pass: (value: T) => void): Pace<T> {
  let rest: (() => void) | undefined;
  let last: { readonly value: T } | undefined;

  function push(value: T): void {
    if (rest !== undefined) {
      last = { value };
      return;
    }
    rest = clock.later(ms, () => {
      rest = undefined;
      const next = last;
      last = undefined;
      if (next !== undefined) push(next.value);
    });
    pass(value);
  }

  return {
    push,
    stop() {
      rest?.();
      last = undefined;
    },
  };
}
