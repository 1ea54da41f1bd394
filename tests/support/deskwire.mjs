// The binary under test, started for real: free port, data folder of its own, awaited until it says it is ready.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { launch } from './process.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');

/** The binary: `DESKWIRE_BIN`, or what `cargo build` leaves. */
export const BINARY = resolve(
  process.env.DESKWIRE_BIN ?? join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug', 'deskwire'),
);

/**
 * @typedef {object} Start
 * @property {'up' | 'gateway'} [command]
 * @property {number} [port] 0 takes a free one
 * @property {string} [data] the data folder; a new one by default
 * @property {object | null} [config] the configuration file; `null` starts without one, which brings the demo
 * @property {Record<string, string>} [env]
 */

/**
 * A running `deskwire`.
 *
 * @typedef {object} Deskwire
 * @property {string} gateway WebSocket URL of the bus
 * @property {string} mcp URL of the MCP endpoint; empty for `gateway`
 * @property {string} base `http://127.0.0.1:PORT`
 * @property {number} port
 * @property {string} data
 * @property {import('./process.mjs').Child} process
 * @property {() => Promise<Deskwire>} restart starts it again on the same port and data, once it has ended
 */

/**
 * @param {TestContext} t
 * @param {Start} [start]
 * @returns {Promise<Deskwire>}
 */
export async function startDeskwire(t, start = {}) {
  assert.ok(existsSync(BINARY), `no binary at ${BINARY}: cargo build -p deskwire`);
  const { command = 'up', port = 0, config = {}, env = {} } = start;
  const data = start.data ?? scratch(t);

  const args = [command, '--port', String(port), '--data', data];
  if (command === 'up') {
    args.push('--no-open');
    if (config !== null) {
      const file = join(data, 'deskwire.test.json');
      writeFileSync(file, JSON.stringify(config));
      args.push('--config', file);
    }
  }
  const child = launch(t, BINARY, args, { cwd: data, env: { ...binaryEnv(), ...env } });

  const wanted = command === 'up' ? ['gateway', 'mcp'] : ['gateway'];
  const endpoints = await child.alive(
    'it was ready',
    child.stdout.until('the endpoints on stdout', (lines) => {
      const found = endpointsOf(lines);
      return wanted.every((name) => found.has(name)) && found;
    }),
  );
  const gateway = endpoints.get('gateway') ?? '';
  const base = `http://${new URL(gateway).host}`;
  const health = await fetch(`${base}/healthz`);
  assert.equal(health.status, 200, 'healthz once ready');
  await health.arrayBuffer();

  const chosen = Number(new URL(gateway).port);
  return {
    gateway,
    mcp: endpoints.get('mcp') ?? '',
    base,
    port: chosen,
    data,
    process: child,
    restart: () => startDeskwire(t, { ...start, port: chosen, data }),
  };
}

/**
 * The environment without the settings of the person who runs the tests.
 *
 * @returns {Record<string, string>}
 */
export function binaryEnv() {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('DESKWIRE_') ? [] : [[name, value]],
    ),
  );
}

/**
 * An empty folder that goes with the test.
 *
 * @param {TestContext} t
 */
export function scratch(t) {
  const folder = mkdtempSync(join(tmpdir(), 'deskwire-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/**
 * Readiness lines: a name, blanks, a URL.
 *
 * @param {string[]} lines
 */
function endpointsOf(lines) {
  return new Map(
    lines
      .map((line) => /^\s*(\w+)\s+((?:http|ws)s?:\/\/\S+)/.exec(line))
      .filter((match) => match !== null)
      .map(([, name, url]) => [name, url]),
  );
}
