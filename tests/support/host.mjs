// A platform on a gateway of its own: the example `host` of the crate `platform`.

import assert from 'node:assert/strict';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { BINARY, scratch } from './deskwire.mjs';
import { launch } from './process.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

const HOST = process.env.DESKWIRE_HOST ?? join(dirname(BINARY), 'examples', 'host');

/**
 * A running platform.
 *
 * @typedef {object} Host
 * @property {string} gateway WebSocket URL of the bus
 * @property {string} folder its folder, from which paths start
 * @property {(name: string, content: unknown) => void} write writes a file in the folder, as editors do
 */

/**
 * Starts one with these files in its folder.
 *
 * @param {TestContext} t
 * @param {object} config what `host.json` holds
 * @param {Record<string, unknown>} [files]
 * @returns {Promise<Host>}
 */
export async function startHost(t, config, files = {}) {
  assert.ok(existsSync(HOST), `no host at ${HOST}: cargo build -p deskwire-platform --example host`);
  const folder = scratch(t);
  const write = (/** @type {string} */ name, /** @type {unknown} */ content) => {
    const temporary = join(folder, `.${name}.new`);
    writeFileSync(temporary, typeof content === 'string' ? content : JSON.stringify(content));
    renameSync(temporary, join(folder, name));
  };
  for (const [name, content] of Object.entries({ ...files, 'host.json': config })) write(name, content);
  const child = launch(t, HOST, [folder], { stdio: ['pipe', 'pipe', 'pipe'] });
  const gateway = await child.alive('it listened', child.stdout.next('the URL on stdout'));
  return { gateway, folder, write };
}

/** @param {string} name */
export const windowApp = (name, more = {}) => ({
  name,
  type: 'window',
  details: { url: 'http://localhost/' },
  ...more,
});
