// From nothing to a configuration that runs: init, check, doctor.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.mjs';
import { BINARY, binaryEnv, scratch, startDeskwire } from '../support/deskwire.mjs';
import { run } from '../support/process.mjs';
import { clients } from '../support/mcp.mjs';
import { offerTool } from '../support/tool.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

/**
 * @param {TestContext} t
 * @param {string} cwd
 * @param {string[]} args
 */
async function deskwire(t, cwd, ...args) {
  return await run(t, BINARY, args, { cwd, env: binaryEnv() });
}

/** Without the comments that JSON does not have. @param {string} text */
const withoutComments = (text) => JSON.parse(text.replaceAll(/^\s*\/\/.*$|\s\/\/ .*$/gm, ''));

describe('init', () => {
  test('writes a configuration and its schema, which check takes and up runs', async (t) => {
    const folder = scratch(t);
    const made = await deskwire(t, folder, 'init');
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^deskwire\.json/m);
    const schema = JSON.parse(readFileSync(join(folder, 'deskwire.schema.json'), 'utf8'));
    assert.ok('server' in schema.properties);
    assert.equal((await deskwire(t, folder, 'check')).code, 0);

    const config = withoutComments(readFileSync(join(folder, 'deskwire.json'), 'utf8'));
    const desk = await startDeskwire(t, { config });
    const client = await clients[0].connect(t, desk);
    const names = (await client.tools()).map(({ name }) => name);
    assert.deepEqual(names, ['io_connect_search_applications', 'io_connect_search_workspaces'], 'no demo beside a configuration');
    const app = await startApp(t, desk.gateway, 'greeter');
    await app.run(({ io }) => io.interop.register('Greeter.Greet', ({ name }) => ({ greeting: `Hello, ${name}` })));
    await client.changes.next('its example tool', (names) => names.includes('greet'));
    assert.deepEqual((await client.call('greet', { name: 'Ada' })).structuredContent, { greeting: 'Hello, Ada' });
  });

  test('overwrites nothing', async (t) => {
    const folder = scratch(t);
    writeFileSync(join(folder, 'deskwire.json'), '{"mine": true}');
    const { code, out, err } = await deskwire(t, folder, 'init');
    assert.deepEqual({ code, out }, { code: 2, out: '' });
    assert.match(err, /deskwire\.json.*exists/s);
    assert.equal(readFileSync(join(folder, 'deskwire.json'), 'utf8'), '{"mine": true}');
  });
});

describe('check', () => {
  test('says file, line and field of a mistake, and what would be right', async (t) => {
    const folder = scratch(t);
    for (const [text, said] of /** @type {[string, RegExp][]} */ ([
      ['{\n  "server": {\n    "nmae": "x"\n  }\n}', /own\.json:3:\d+: server\.nmae: .*`name`/],
      ['{\n  "listen": { "port": "soon" }\n}', /own\.json:2:\d+: listen\.port: .*/],
      ['{ "server": { "tools": { "dynamic": { "methods": { "guard": "nobody.x" } } } } }', /guard: .*`nobody`.*method/],
      ['{ "listen": { "host": "0.0.0.0" } }', /listen\.token/],
      ['{ "server": ', /own\.json:1:\d+/],
    ])) {
      writeFileSync(join(folder, 'own.json'), text);
      const { code, out, err } = await deskwire(t, folder, 'check', 'own.json');
      assert.deepEqual({ code, out }, { code: 2, out: '' }, text);
      assert.match(err, said);
    }
  });

  test('needs no file to say what holds', async (t) => {
    const { code, out } = await deskwire(t, scratch(t), 'check');
    assert.equal(code, 0);
    assert.match(out, /defaults/);
  });
});

describe('doctor', () => {
  test('finds nothing wrong with the demo', async (t) => {
    const desk = await startDeskwire(t, { config: null });
    const { code, out } = await deskwire(t, desk.data, 'doctor', '--url', desk.mcp);
    assert.equal(code, 0, out);
    assert.match(out, /^\d+ visible, 0 not visible, 4 not in this version\.$/m);
    assert.match(out, /^tool io_connect_start_workspace: not in this version \(build\)\n +not built yet/m);
  });

  test('says why a tool is not there and what to do, as the API does', async (t) => {
    const desk = await startDeskwire(t);
    const app = await startApp(t, desk.gateway, 'greeter');
    await offerTool(app, { name: 'good' });
    await app.run(({ io }) =>
      io.interop.register(
        /** @type {any} */ ({
          name: 'Greeter.Greet',
          description: 'Greets',
          flags: { ioIntelMCPTool: { name: 'greet', inputSchema: '{"type":"object"}', outputSchema: '{not json' } },
        }),
        () => ({}),
      ),
    );
    const client = await clients[0].connect(t, desk);
    assert.deepEqual((await client.tools()).map(({ name }) => name), ['good']);

    for (const about of [[], ['greet'], ['greeter']]) {
      const { code, out } = await deskwire(t, desk.data, 'doctor', ...about, '--url', desk.mcp);
      assert.equal(code, 1, out);
      assert.match(out, /^tool greet of greeter: not visible \(schema\)\n +`outputSchema`.*not JSON.*\n +.*JSON\.stringify/m);
    }
    assert.equal((await deskwire(t, desk.data, 'doctor', 'good', '--url', desk.mcp)).code, 0);

    const asked = await deskwire(t, desk.data, 'doctor', '--json', '--as', 'ui', '--url', desk.mcp);
    assert.equal(asked.code, 1);
    assert.deepEqual(JSON.parse(asked.out), await (await fetch(`${desk.base}/api/diagnostics?as=ui`)).json());
  });

  test('says that nothing is called so, and that nobody answers', async (t) => {
    const desk = await startDeskwire(t);
    const nothing = await deskwire(t, desk.data, 'doctor', 'nonesuch', '--url', desk.mcp);
    assert.equal(nothing.code, 1);
    assert.match(nothing.out, /nonesuch/);

    await desk.process.end('SIGTERM');
    const nobody = await deskwire(t, desk.data, 'doctor', '--url', desk.mcp);
    assert.equal(nobody.code, 2);
    assert.match(nobody.err, /deskwire up/);
  });
});
