// Connections break and gateways die: applications come back and are as they were, once.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp, startApps } from '../support/app.mjs';
import { gateways, ours } from '../support/gateways.mjs';
import { startRelay } from '../support/relay.mjs';

/** @typedef {import('../support/app.mjs').Inside} Inside */

/**
 * Registers a method that says how often it ran.
 *
 * @param {Inside} inside
 */
const offerCount = ({ io, emit }) =>
  io.interop.register('Count', ({ n }) => {
    emit({ invoked: n });
    return { n };
  });

/**
 * Tells when servers and methods come and go.
 *
 * @param {Inside} inside
 */
async function watch({ io, emit }) {
  await io.interop.waitForMethod('Count');
  io.interop.serverRemoved(({ application }) => emit({ gone: application }));
  io.interop.serverMethodAdded(({ method }) => emit({ added: method.name }));
}

/**
 * Calls every server of the method and counts those there are.
 *
 * @param {Inside} inside
 */
async function callAll({ io }) {
  const { all_return_values: answers = [] } = await io.interop.invoke('Count', { n: 1 }, 'all');
  return {
    answers: answers.map(({ returned }) => returned),
    servers: io.interop.servers().filter(({ application }) => application === 'server').length,
  };
}

/** What `callAll` gives when the server is there once. */
const ONCE = { answers: [{ n: 1 }], servers: 1 };

/**
 * Waits for the old server to go and its method to come back.
 *
 * @param {import('../support/app.mjs').App} client
 */
async function seeItReturn(client) {
  await client.events.until('the server to go and come back', (events) => {
    const gone = events.findIndex(({ gone }) => gone === 'server');
    return gone >= 0 && events.slice(gone).some(({ added }) => added === 'Count');
  });
}

for (const gateway of gateways) {
  describe(`a new life of ${gateway.name}`, () => {
    test('methods, streams and contexts are there again, each once', async (t) => {
      const first = await gateway.start(t);
      const [server, client] = await startApps(t, first.url, 'server', 'client');
      await server.run(offerCount);
      await server.run(async ({ io, kept }) => {
        await io.interop.register('Removed', () => ({}));
        io.interop.unregister('Removed');
        kept.stream = await io.interop.createStream('Ticks', {
          subscriptionAddedHandler: (subscription) => subscription.push({ welcome: true }),
        });
        await io.contexts.set('selection', { client: 'C-1' });
        await io.contexts.subscribe('selection', () => {});
      });
      await client.run(watch);
      await client.run(({ io, emit }) =>
        io.interop.subscribe('Ticks', { onData: ({ data }) => emit({ tick: data }) }).then(() => {}),
      );
      await client.events.next('the first welcome', ({ tick }) => tick?.welcome);

      await first.process.end('SIGKILL');
      const second = await first.restart();
      assert.equal(second.url, first.url);

      await seeItReturn(client);
      assert.deepEqual(await client.run(callAll), ONCE);
      assert.deepEqual(await server.emitted(), [{ invoked: 1 }]);
      assert.equal(await client.run(({ io }) => io.interop.methods('Removed').length), 0);

      await client.events.next('the subscription to be renewed', ({ tick }) => tick?.welcome);
      await server.run(({ kept }) => kept.stream.push({ n: 2 }));
      await client.events.next('a tick of the new life', ({ tick }) => tick?.n === 2);
      assert.equal(client.events.all.filter(({ tick }) => tick?.n === 2).length, 1);

      assert.deepEqual(await client.run(({ io }) => io.contexts.get('selection')), { client: 'C-1' });
    });
  });

  describe(`a broken connection to ${gateway.name}`, () => {
    test('the application comes back as one server, not two', async (t) => {
      const { url } = await gateway.start(t);
      const relay = await startRelay(t, url);
      const [server, client] = await Promise.all([startApp(t, relay.url, 'server'), startApp(t, url, 'client')]);
      await server.run(offerCount);
      await client.run(watch);

      relay.cut();
      relay.mend();

      await seeItReturn(client);
      assert.deepEqual(await client.run(callAll), ONCE);
      assert.deepEqual(await server.emitted(), [{ invoked: 1 }]);
    });
  });
}

describe('a connection that only one side knows to be broken', () => {
  test('the silent holder of an identity makes way for the living one', async (t) => {
    const { url } = await ours.start(t);
    const relay = await startRelay(t, url);
    const identity = { instance: 'instance-7' };
    const [server, client] = await Promise.all([
      startApp(t, relay.url, 'server', { identity }),
      startApp(t, url, 'client'),
    ]);
    await server.run(offerCount);
    await client.run(watch);

    relay.orphan();

    await seeItReturn(client);
    assert.deepEqual(await client.run(callAll), ONCE);
    assert.equal(await server.run(({ io }) => io.interop.instance.instance), 'instance-7');
  });
});
