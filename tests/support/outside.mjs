// What is installed in outside/ only for the proofs by others: a newer Node, and programs that need it.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { run } from './process.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

const MODULES = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../outside/node_modules');

/** The Node that came with the packages; where there is none for this platform, ours must be new enough. */
const brought = resolve(MODULES, `node-${process.platform}-${process.arch}`, 'bin/node');
const NODE = existsSync(brought) ? brought : process.execPath;

/**
 * Runs a script of a package to its end.
 *
 * @param {TestContext} t
 * @param {string} script package and path
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { patience?: number }} [options]
 */
export async function runPackaged(t, script, args, options = {}) {
  return await run(t, NODE, [resolve(MODULES, script), ...args], options);
}
