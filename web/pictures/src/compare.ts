// Compares what is shown with the picture that is kept, or keeps it.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/**
 * How much may differ. Versions of Chromium blend the edges of glyphs and rounded corners in their own ways:
 * such pixels are recognised and not counted. Of the others, no square of `WINDOW` pixels may have more than
 * `MOST` that an eye can tell apart. A letter that is another, a line of one pixel or a text that moved by one
 * has more.
 */
const WINDOW = 16;
const MOST = 6;
const THRESHOLD = 0.1;

/** What to do about a picture, from the environment. */
const isUpdate = (): boolean => process.env['DESKWIRE_PICTURES'] === 'update';

/**
 * In words, how `shown` (PNG) differs from the one that is kept at `file`; nothing where it does not. What was
 * shown, and a picture with the differences in red, then lie in `differs/` beside it. With
 * `DESKWIRE_PICTURES=update` a picture that differs is kept instead.
 */
export function difference(shown: Buffer, file: string, update = isUpdate()): string | undefined {
  const now = PNG.sync.read(shown);
  const kept = read(file);
  const places = { shown: join(dirname(file), 'differs', basename(file)), marked: join(dirname(file), 'differs', basename(file, '.png') + '-marked.png') };
  for (const place of Object.values(places)) rmSync(place, { force: true });
  const found = kept === undefined ? { words: 'is not kept' } : compare(kept, now);
  if (found === undefined) return undefined;
  if (update) {
    write(file, now);
    return undefined;
  }
  write(places.shown, now);
  if (found.marked !== undefined) write(places.marked, found.marked);
  return `${basename(file)} ${found.words}. See ${dirname(places.shown)}; if it is right, keep it: DESKWIRE_PICTURES=update`;
}

function compare(kept: PNG, now: PNG): { words: string; marked?: PNG } | undefined {
  const { width, height } = now;
  if (kept.width !== width || kept.height !== height) {
    return { words: `is ${width} × ${height}, and was ${kept.width} × ${kept.height}` };
  }
  const most = pixelmatch(kept.data, now.data, undefined, width, height, { threshold: THRESHOLD, windowSize: WINDOW });
  if (most <= MOST) return undefined;
  const marked = new PNG({ width, height });
  const count = pixelmatch(kept.data, now.data, marked.data, width, height, { threshold: THRESHOLD });
  return { words: `differs in ${count} pixels, ${most} of them close together`, marked };
}

function read(file: string): PNG | undefined {
  try {
    return PNG.sync.read(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Without alpha, and as small as it gets: flat areas want no filter, gradients and photographs do. */
function write(file: string, picture: PNG): void {
  const ways = [0, 4].map((filterType) => PNG.sync.write(picture, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, ways.reduce((least, one) => (one.length < least.length ? one : least)));
}
