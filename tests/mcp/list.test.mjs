// Tools come and go with the applications that offer them, and every client is told, once.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.mjs';
import { startDeskwire } from '../support/deskwire.mjs';
import { clients, textOf } from '../support/mcp.mjs';
import { startRelay } from '../support/relay.mjs';
import { invocations, offerTool, toolFrame, withdrawTool } from '../support/tool.mjs';
import { joinWire } from '../support/wire.mjs';

/** @typedef {import('../support/mcp.mjs').Mcp} Mcp */

/**
 * Makes a change and waits until the client has heard of it, so that what is still on its way from
 * before is not taken for what comes after. Returns the lists since then.
 *
 * @param {import('../support/app.mjs').App} app
 * @param {Mcp} client
 */
async function settle(app, client) {
  await offerTool(app, { name: 'aa_first' });
  await client.changes.next('the first change', (names) => names.includes('aa_first'));
  const before = client.changes.all.length;
  return () => client.changes.all.slice(before);
}

/**
 * Makes one more change and waits until the client has heard of it: what the server had to tell
 * before has come by then. Call it last.
 *
 * @param {import('../support/app.mjs').App} app
 * @param {Mcp} client
 */
async function flush(app, client) {
  await offerTool(app, { name: 'zz_last' });
  await client.changes.next('the last change', (names) => names.includes('zz_last'));
}

for (const kind of clients) {
  describe(`the list of tools for ${kind.name}`, () => {
    test('a tool appears with one notification, as its application described it', async (t) => {
      const desk = await startDeskwire(t);
      const [client, app] = await Promise.all([kind.connect(t, desk), startApp(t, desk.gateway, 'greeter')]);
      assert.deepEqual(await client.tools(), []);

      await offerTool(app, {
        name: 'greet',
        description: 'Greets a person',
        input: { type: 'object', properties: { name: { type: 'string', description: 'Who' } }, required: ['name'] },
        output: { type: 'object', properties: { greeting: { type: 'string' } }, required: ['greeting'] },
      });
      await client.changes.next('the tool to appear', (names) => names.includes('greet'));

      const [tool] = await client.tools();
      assert.match(tool.description ?? '', /Greets a person/);
      assert.deepEqual(tool.inputSchema.properties, { name: { type: 'string', description: 'Who' } });
      assert.deepEqual(tool.inputSchema.required, ['name']);
      assert.deepEqual(tool.outputSchema.properties, { greeting: { type: 'string' } });

      await flush(app, client);
      assert.deepEqual(client.changes.all, [['greet'], ['greet', 'zz_last']]);
    });

    test('many tools registered together are one notification', async (t) => {
      const desk = await startDeskwire(t);
      const [client, app, bulk] = await Promise.all([
        kind.connect(t, desk),
        startApp(t, desk.gateway, 'app'),
        joinWire(t, desk.gateway, 'bulk'),
      ]);
      const names = Array.from({ length: 50 }, (_, n) => `tool_${String(n).padStart(2, '0')}`);
      await bulk.register(names.map((name, n) => toolFrame(String(n), { name })));
      await client.changes.next('the tools to appear', (listed) => listed.length === 50);
      await flush(app, client);
      assert.deepEqual(client.changes.all, [names, [...names, 'zz_last']]);
    });

    test('a withdrawn tool goes with one notification; a call says so and reaches nobody', async (t) => {
      const desk = await startDeskwire(t);
      const app = await startApp(t, desk.gateway, 'app');
      await offerTool(app, { name: 'brief' });
      const client = await kind.connect(t, desk);
      assert.deepEqual((await client.tools()).map(({ name }) => name), ['brief']);

      await withdrawTool(app, 'brief');
      await client.changes.next('the tool to go', (names) => names.length === 0);

      const result = await client.call('brief');
      assert.equal(result.isError, true);
      assert.match(textOf(result), /brief.*list (the )?tools again/is);
      await flush(app, client);
      const gone = client.changes.all.findIndex((names) => names.length === 0);
      assert.deepEqual(client.changes.all.slice(gone), [[], ['zz_last']]);
      assert.deepEqual(await invocations(app), []);
    });

    test('a killed application takes its tools along with one notification', async (t) => {
      const desk = await startDeskwire(t);
      const [doomed, app] = await Promise.all([
        startApp(t, desk.gateway, 'doomed'),
        startApp(t, desk.gateway, 'app'),
      ]);
      await offerTool(doomed, { name: 'first' });
      await offerTool(doomed, { name: 'second' });
      const client = await kind.connect(t, desk);
      assert.equal((await client.tools()).length, 2);
      const changes = await settle(app, client);

      await doomed.end('SIGKILL');
      await client.changes.next('the tools to go', (names) => !names.includes('first'));

      const result = await client.call('first');
      assert.equal(result.isError, true);
      assert.match(textOf(result), /list (the )?tools again/i);
      await flush(app, client);
      assert.deepEqual(changes(), [['aa_first'], ['aa_first', 'zz_last']]);
    });

    test('registering the same again and again is no news', async (t) => {
      const desk = await startDeskwire(t);
      const [app, beating] = await Promise.all([
        startApp(t, desk.gateway, 'app'),
        joinWire(t, desk.gateway, 'beating'),
      ]);
      const method = toolFrame('0', { name: 'steady' });
      await beating.register([method]);
      const client = await kind.connect(t, desk);
      assert.deepEqual((await client.tools()).map(({ name }) => name), ['steady']);
      const changes = await settle(app, client);

      for (let beat = 0; beat < 100; beat++) await beating.register([method]);

      await flush(app, client);
      assert.deepEqual(changes(), [['aa_first', 'steady', 'zz_last']]);
    });

    test('a changed description is news', async (t) => {
      const desk = await startDeskwire(t);
      const [app, wire] = await Promise.all([startApp(t, desk.gateway, 'app'), joinWire(t, desk.gateway, 'wire')]);
      await wire.register([toolFrame('0', { name: 'steady', description: 'Before' })]);
      const client = await kind.connect(t, desk);
      const described = async () => (await client.tools()).find(({ name }) => name === 'steady')?.description ?? '';
      assert.match(await described(), /Before/);
      await settle(app, client);

      await wire.register([toolFrame('0', { name: 'steady', description: 'After' })]);

      await client.changes.next('the change');
      assert.match(await described(), /After/);
    });

    test('an application that lost its connection comes back as one tool, invoked once per call', async (t) => {
      const desk = await startDeskwire(t);
      const relay = await startRelay(t, desk.gateway);
      const [app, steady] = await Promise.all([
        startApp(t, relay.url, 'restless'),
        startApp(t, desk.gateway, 'steady'),
      ]);
      await offerTool(app, { name: 'count' }, ({ n }) => ({ n }));
      const client = await kind.connect(t, desk);
      const changes = await settle(steady, client);

      relay.cut();
      await client.changes.next('the tool to go', (names) => !names.includes('count'));
      relay.mend();
      await client.changes.next('the tool to come back', (names) => names.includes('count'));

      assert.deepEqual(changes(), [['aa_first'], ['aa_first', 'count']]);
      assert.deepEqual((await client.call('count', { n: 1 })).structuredContent, { n: 1 });
      assert.deepEqual((await client.call('count', { n: 2 })).structuredContent, { n: 2 });
      assert.deepEqual(await invocations(app), [{ n: 1 }, { n: 2 }]);
    });
  });
}
