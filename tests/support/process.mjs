// A child process as a test sees it: its lines, its end, and no way to outlive the test.

import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Log, within } from './events.mjs';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Exit */

/** Set it to see what the processes under test write on stderr. */
const LOUD = process.env.DESKWIRE_TEST_LOG !== undefined;

export class Child {
  /** @type {Log<string>} */
  stdout = new Log();
  /** @type {Log<string>} */
  stderr = new Log();
  /** @type {Promise<Exit>} */
  exited;

  /** @param {import('node:child_process').ChildProcess} handle */
  constructor(handle) {
    this.handle = handle;
    this.exited = new Promise((resolve, reject) => {
      handle.on('close', (code, signal) => resolve({ code, signal }));
      handle.on('error', reject);
    });
    this.exited.catch(() => {}); // told to whoever awaits it
    collect(handle.stdout, this.stdout);
    collect(handle.stderr, this.stderr);
    if (LOUD) handle.stderr?.pipe(process.stderr);
  }

  /**
   * Settles as `promise` does, or fails with the last words of the process if it ends first.
   *
   * @template T
   * @param {string} what
   * @param {Promise<T>} promise
   * @returns {Promise<T>}
   */
  async alive(what, promise) {
    const ended = this.exited.then(({ code, signal }) => {
      throw new Error(`ended (${signal ?? code}) before ${what}:\n${this.stderr.all.slice(-20).join('\n')}`);
    });
    return await Promise.race([promise, ended]);
  }

  /**
   * Sends a signal and waits for the end.
   *
   * @param {NodeJS.Signals} [signal]
   * @returns {Promise<Exit>}
   */
  async end(signal = 'SIGKILL') {
    this.handle.kill(signal);
    return await within(`process ${this.handle.pid} to end after ${signal}`, this.exited);
  }
}

/**
 * @param {TestContext} t
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function launch(t, command, args, options = {}) {
  const child = new Child(spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options }));
  t.after(() => child.end());
  return child;
}

/**
 * Runs a program to its end.
 *
 * @param {TestContext} t
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { input?: string, patience?: number }} [options]
 */
export async function run(t, command, args, { input, patience, ...options } = {}) {
  const child = launch(t, command, args, { ...options, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
  child.handle.stdin?.end(input);
  const { code } = await within(`${basename(command)} ${args.join(' ')}`, child.exited, patience);
  return { code, out: child.stdout.all.join('\n'), err: child.stderr.all.join('\n') };
}

/**
 * @param {import('node:stream').Readable | null} stream
 * @param {Log<string>} log
 */
function collect(stream, log) {
  if (stream) createInterface({ input: stream }).on('line', (line) => log.push(line));
}
