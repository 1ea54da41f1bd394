// A call: checked, carried to the application, its answer checked and brought back, or a clear word why not.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.mjs';
import { startDeskwire } from '../support/deskwire.mjs';
import { clients, textOf } from '../support/mcp.mjs';
import { invocations, offerTool } from '../support/tool.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

const GREETING = { type: 'object', properties: { greeting: { type: 'string' } }, required: ['greeting'] };

/** What a call may take that fails "at once"; every timeout in play is far above it. */
const AT_ONCE = 5_000;

/**
 * An application that offers one tool, and a client that sees it.
 *
 * @param {TestContext} t
 * @param {import('../support/mcp.mjs').Kind} kind
 * @param {import('../support/tool.mjs').Offer} offer
 * @param {(args: any, inside: import('../support/app.mjs').Inside) => unknown} [handler]
 */
async function meet(t, kind, offer, handler) {
  const desk = await startDeskwire(t);
  const app = await startApp(t, desk.gateway, 'responder');
  await offerTool(app, offer, handler);
  const client = await kind.connect(t, desk);
  assert.deepEqual((await client.tools()).map(({ name }) => name), [offer.name]);
  return { desk, app, client };
}

for (const kind of clients) {
  describe(`a call from ${kind.name}`, () => {
    test('carries the arguments there and the result back, as data and as text', async (t) => {
      const { app, client } = await meet(t, kind, { name: 'greet', output: GREETING }, ({ name, ...rest }) => ({
        greeting: `Hello, ${name}`,
        rest,
      }));
      const result = await client.call('greet', { name: 'Ada', big: 9007199254740991, half: 0.5, list: [null, 'ü'] });
      assert.ok(!result.isError);
      assert.deepEqual(result.structuredContent, {
        greeting: 'Hello, Ada',
        rest: { big: 9007199254740991, half: 0.5, list: [null, 'ü'] },
      });
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
      assert.equal((await invocations(app)).length, 1);
    });

    test('gets each of many at once its own answer', async (t) => {
      const { client } = await meet(t, kind, { name: 'echo' }, async ({ n }) => {
        await new Promise((resolve) => setImmediate(resolve));
        return { n };
      });
      const numbers = Array.from({ length: 40 }, (_, n) => n);
      const results = await Promise.all(numbers.map((n) => client.call('echo', { n })));
      assert.deepEqual(results.map(({ structuredContent }) => structuredContent.n), numbers);
    });

    test('takes nothing for an empty object where nothing is required', async (t) => {
      const { client } = await meet(t, kind, { name: 'quiet' }, () => undefined);
      const result = await client.call('quiet');
      assert.ok(!result.isError, textOf(result));
      assert.deepEqual(result.structuredContent, {});
    });

    test('names the field that the answer lacks', async (t) => {
      const { client } = await meet(t, kind, { name: 'greet', output: GREETING }, () => undefined);
      const result = await client.call('greet');
      assert.equal(result.isError, true);
      assert.match(textOf(result), /greeting/);
    });

    test('names the argument that does not fit, and does not bother the application', async (t) => {
      const { app, client } = await meet(t, kind, {
        name: 'order',
        input: {
          type: 'object',
          properties: { lines: { type: 'array', items: { type: 'object', properties: { count: { type: 'integer' } } } } },
          required: ['lines'],
        },
      });
      const wrong = await client.call('order', { lines: [{ count: 1 }, { count: 'many' }] });
      assert.equal(wrong.isError, true);
      assert.match(textOf(wrong), /lines\W*1\W*count/);

      const missing = await client.call('order', {});
      assert.equal(missing.isError, true);
      assert.match(textOf(missing), /lines/);

      const right = await client.call('order', { lines: [{ count: 1 }] });
      assert.ok(!right.isError, textOf(right));
      assert.deepEqual(await invocations(app), [{ lines: [{ count: 1 }] }]);
    });

    test('brings what the application threw', async (t) => {
      const { client } = await meet(t, kind, { name: 'refuse' }, () => {
        throw new Error('the book is closed');
      });
      const result = await client.call('refuse');
      assert.equal(result.isError, true);
      assert.match(textOf(result), /the book is closed/);
    });

    test('of a tool that never was is an error of the protocol', async (t) => {
      const { client } = await meet(t, kind, { name: 'known' });
      await assert.rejects(client.call('never_heard_of'), (/** @type {any} */ error) => error.code === -32602);
    });

    test('ends when the tool’s own time is over, says which, and the next one works', async (t) => {
      const { app, client } = await meet(t, kind, { name: 'slow', responseTimeoutMs: 300 }, ({ answer }, { kept }) =>
        answer === undefined ? new Promise((resolve) => (kept.late = resolve)) : { answer },
      );
      const started = performance.now();
      const result = await client.call('slow');
      assert.equal(result.isError, true);
      assert.match(textOf(result), /300 ?ms|0\.3 ?s/);
      assert.ok(performance.now() - started < AT_ONCE);

      await app.run(({ kept }) => kept.late({ answer: 'too late' }));
      assert.deepEqual((await client.call('slow', { answer: 'in time' })).structuredContent, { answer: 'in time' });
    });

    test('can be cancelled; the application answers into the void, and the next one works', async (t) => {
      const { app, client } = await meet(t, kind, { name: 'slow' }, ({ answer }, { kept }) =>
        answer === undefined ? new Promise((resolve) => (kept.late = resolve)) : { answer },
      );
      const cancel = new AbortController();
      const call = client.call('slow', {}, cancel.signal);
      await app.events.next('the call to arrive');
      cancel.abort('changed my mind');
      await assert.rejects(call);

      await app.run(({ kept }) => kept.late({ answer: 'too late' }));
      assert.deepEqual((await client.call('slow', { answer: 'next' })).structuredContent, { answer: 'next' });
      assert.deepEqual(await invocations(app), [{}, { answer: 'next' }]);
    });

    test('fails at once when the application is killed in the middle of it, by name', async (t) => {
      const { app, client } = await meet(t, kind, { name: 'ponder' }, () => new Promise(() => {}));
      const call = client.call('ponder');
      await app.events.next('the call to arrive');
      const killed = performance.now();
      await app.end('SIGKILL');
      const result = await call;
      assert.ok(performance.now() - killed < AT_ONCE);
      assert.equal(result.isError, true);
      assert.match(textOf(result), /responder/);
    });
  });
}
