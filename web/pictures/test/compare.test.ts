// What counts as another picture, and what happens to it.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { PNG } from 'pngjs';
import { difference } from '../src/compare.ts';

const folder = mkdtempSync(join(tmpdir(), 'deskwire-pictures-'));
const file = join(folder, 'some', 'one.png');
afterAll(() => rmSync(folder, { recursive: true }));

/** White, with black at these places. */
function picture(black: readonly (readonly [number, number])[], width = 40): Buffer {
  const png = new PNG({ width, height: 40 });
  png.data.fill(255);
  for (const [x, y] of black) png.data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return PNG.sync.write(png);
}

const LINE = Array.from({ length: 20 }, (_, x) => [x + 10, 20] as const);

beforeEach(() => {
  rmSync(join(folder, 'some'), { recursive: true, force: true });
  difference(picture(LINE), file, true);
});

test('the same is the same', () => {
  expect(difference(picture(LINE), file, false)).toBeUndefined();
  expect(existsSync(join(folder, 'some', 'differs'))).toBe(false);
});

test('a few pixels are not seen', () => {
  expect(difference(picture([...LINE, [3, 3], [5, 5], [30, 35]]), file, false)).toBeUndefined();
});

test('a line that moved by one is, and is shown beside the one that is kept', () => {
  const moved = picture(LINE.map(([x, y]) => [x, y + 1] as const));
  const before = readFileSync(file);
  expect(difference(moved, file, false)).toMatch(/^one\.png differs in 40 pixels, 32 of them close together\. See .*differs; .*DESKWIRE_PICTURES=update$/);
  expect(existsSync(join(folder, 'some', 'differs', 'one.png'))).toBe(true);
  expect(existsSync(join(folder, 'some', 'differs', 'one-marked.png'))).toBe(true);
  expect(readFileSync(file)).toEqual(before);
});

test('what was shown goes away once it is right', () => {
  difference(picture([]), file, false);
  expect(difference(picture(LINE), file, false)).toBeUndefined();
  expect(existsSync(join(folder, 'some', 'differs', 'one.png'))).toBe(false);
});

test('another size, and a picture that is not kept, are said', () => {
  expect(difference(picture(LINE, 41), file, false)).toMatch(/is 41 × 40, and was 40 × 40/);
  expect(difference(picture(LINE), join(folder, 'none.png'), false)).toMatch(/none\.png is not kept/);
});

test('an update keeps what differs, and leaves alone what does not', () => {
  const almost = picture([...LINE, [3, 3]]);
  const before = readFileSync(file);
  expect(difference(almost, file, true)).toBeUndefined();
  expect(readFileSync(file)).toEqual(before);
  expect(difference(picture([]), file, true)).toBeUndefined();
  expect(difference(picture([]), file, false)).toBeUndefined();
});
