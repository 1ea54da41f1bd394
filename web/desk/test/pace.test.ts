import { expect, test } from 'vitest';
import { createPace } from '../src/windows/pace.ts';

test('passes on the first at once, then the last of each while, and nothing after it was stopped', () => {
  const passed: number[] = [];
  let due: (() => void) | undefined;
  const tick = (): void => {
    const now = due;
    due = undefined;
    now?.();
  };
  const clock = {
    later(_: number, work: () => void) {
      due = work;
      return () => (due = undefined);
    },
  };
  const pace = createPace<number>(500, clock, (value) => passed.push(value));
  for (let value = 1; value <= 1_000; value += 1) pace.push(value);
  expect(passed).toEqual([1]);
  tick();
  expect(passed).toEqual([1, 1_000]);
  tick();
  pace.push(1_001);
  expect(passed).toEqual([1, 1_000, 1_001]);
  pace.push(1_002);
  pace.stop();
  tick();
  expect(passed).toEqual([1, 1_000, 1_001]);
});
