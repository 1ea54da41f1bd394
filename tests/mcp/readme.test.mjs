// What the README tells people to paste into their chat application works as it stands there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { BINARY, binaryEnv, scratch, startDeskwire } from '../support/deskwire.mjs';
import { within } from '../support/events.mjs';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {{ type?: string, command?: string, args?: string[], url?: string }} Entry as chat applications read it */

const README = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../README.md');

/** Where the README says that a server is, which in a test is elsewhere. */
const ADDRESS = '127.0.0.1:4111';

/** The blocks for chat applications. @type {{ form: string, entry: Entry }[]} */
const blocks = [...readFileSync(README, 'utf8').matchAll(/^```json\n(.+?)^```$/gms)].flatMap(([, text]) => {
  const block = JSON.parse(text);
  return ['mcpServers', 'servers'].flatMap((form) => (block[form]?.deskwire ? [{ form, entry: block[form].deskwire }] : []));
});

/**
 * The transport that an application with this entry uses.
 *
 * @param {TestContext} t
 * @param {Entry} entry
 * @param {import('../support/deskwire.mjs').Deskwire} desk
 */
function transport(t, { type, command, args, url }, desk) {
  if (url !== undefined) {
    assert.ok(type === undefined || type === 'http');
    assert.ok(url.includes(ADDRESS), url);
    return new StreamableHTTPClientTransport(new URL(url.replace(ADDRESS, new URL(desk.base).host)));
  }
  assert.ok(type === undefined || type === 'stdio');
  assert.equal(command, 'deskwire');
  return new StdioClientTransport({
    command: BINARY,
    args,
    cwd: scratch(t),
    env: { ...binaryEnv(), DESKWIRE_GATEWAY: desk.gateway },
    stderr: 'ignore',
  });
}

describe('the README', () => {
  test('has a block for each form, by command and by URL', () => {
    const kinds = blocks.map(({ form, entry }) => `${form} ${entry.url === undefined ? 'command' : 'url'}`);
    assert.deepEqual(kinds.sort(), ['mcpServers command', 'mcpServers url', 'servers command', 'servers url']);
  });

  for (const { form, entry } of blocks) {
    test(`connects a chat application by ${form}: ${JSON.stringify(entry)}`, async (t) => {
      const desk = await startDeskwire(t, { config: null });
      const client = new Client({ name: 'chat', version: '1.0.0' });
      t.after(() => client.close());
      await within('the handshake', client.connect(/** @type {any} */ (transport(t, entry, desk))));
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'find_clients'));
      const result = await client.callTool({ name: 'find_clients', arguments: { query: 'northwind' } });
      assert.ok(!result.isError, JSON.stringify(result));
    });
  }
});
