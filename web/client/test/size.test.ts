// @vitest-environment node

import { build } from 'vite';
import { expect, test } from 'vitest';

/** Bytes of the classic script, minified and not compressed. Every page of every application loads it. */
const MOST = 1000;

test('the starter stays small', async () => {
  const configFile = new URL('../vite.config.ts', import.meta.url).pathname;
  const built = await build({ configFile, logLevel: 'error', build: { write: false } });
  const [one] = Array.isArray(built) ? built : [built];
  if (one === undefined || !('output' in one)) throw new Error('nothing was built');
  const [script] = one.output;
  expect(one.output).toHaveLength(1);
  expect(Buffer.byteLength(script.code)).toBeLessThanOrEqual(MOST);
  expect(script.code).toContain('window.deskwire=');
});
