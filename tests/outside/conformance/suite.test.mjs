// The official conformance suite, at every revision it knows, against our server with the suite's fixtures in it.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { scratch } from '../../support/deskwire.mjs';
import { runPackaged } from '../../support/outside.mjs';
import { launch } from '../../support/process.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

const HERE = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const SUITE = '@modelcontextprotocol/conformance/dist/index.js';
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/** What the product does not have, each with its reason; the suite refuses an entry that passes. */
const EXPECTED_FAILURES = join(HERE, 'expected-failures.yaml');
const expected = [...readFileSync(EXPECTED_FAILURES, 'utf8').matchAll(/^ +- (\S+)$/gm)].map(([, check]) => check);

/** The example `conformance` of crates/mcp. */
const HOST = resolve(
  process.env.DESKWIRE_CONFORMANCE_HOST ??
    join(process.env.CARGO_TARGET_DIR ?? resolve(HERE, '../../../target'), 'debug/examples/conformance'),
);

/**
 * Runs the suite at one revision; the checks that failed.
 *
 * @param {TestContext} t
 * @param {string} revision
 * @returns {Promise<string[]>}
 */
async function conforms(t, revision) {
  assert.ok(existsSync(HOST), `no server at ${HOST}: cargo build -p deskwire-mcp --example conformance`);
  const host = launch(t, HOST, []);
  const url = await host.alive('it was ready', host.stdout.next('its URL'));
  const results = scratch(t);
  const { code, out, err } = await runPackaged(
    t,
    SUITE,
    ['server', '--url', url, '--suite', 'all', '--spec-version', revision]
      .concat('--expected-failures', EXPECTED_FAILURES, '--output-dir', results),
    { patience: 120_000 },
  );
  assert.equal(code, 0, `${out.slice(out.indexOf('=== SUMMARY'))}\n${err}`);
  return readdirSync(results).flatMap((folder) => {
    const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1];
    /** @type {{ id: string, status: string }[]} */
    const checks = JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8'));
    // The suite calls a warning a failure where it is not expected.
    return checks.flatMap(({ id, status }) => (/FAILURE|WARNING/.test(status) ? [`${scenario}:${id}`] : []));
  });
}

describe('the conformance suite', () => {
  /** @type {Set<string>} */
  const failed = new Set();

  for (const revision of REVISIONS) {
    test(`of ${revision} passes but for what the product does not have`, async (t) => {
      for (const check of await conforms(t, revision)) failed.add(check);
    });
  }

  test('knows no other revision', async (t) => {
    const { err } = await runPackaged(t, SUITE, ['server', '--url', 'http://localhost:1', '--spec-version', 'none']);
    const known = /^Valid versions: (.+?) \(/m.exec(err)?.[1];
    assert.equal(known, REVISIONS.join(', '), err);
  });

  test('has no expected failure that it never came to', () => {
    assert.deepEqual(expected.filter((check) => !failed.has(check)), []);
  });
});
