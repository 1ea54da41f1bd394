// What all tests look at, built once: the desk and the demo's pages, which the server shows (a binary
// with pages inside shows those), and the script of an application.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The script of `app.ts`. */
    app: string;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  for (const page of ['desk', 'demo']) {
    await build({ configFile: join(import.meta.dirname, `../../${page}/vite.config.ts`), logLevel: 'error' });
  }
  const outDir = await mkdtemp(join(tmpdir(), 'desk-app-'));
  const lib = { entry: join(import.meta.dirname, 'app.ts'), name: 'application', formats: ['iife' as const], fileName: () => 'app.js' };
  await build({ configFile: false, logLevel: 'error', define: { 'process.env.NODE_ENV': '"production"' }, build: { outDir, lib } });
  project.provide('app', await readFile(join(outDir, 'app.js'), 'utf8'));
  await rm(outDir, { recursive: true });
}
