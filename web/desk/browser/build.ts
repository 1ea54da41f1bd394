// Builds the desk once for all tests.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    dist: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), 'desk-dist-'));
  const configFile = new URL('../vite.config.ts', import.meta.url).pathname;
  await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } });
  project.provide('dist', outDir);
  return () => rm(outDir, { recursive: true, force: true });
}
