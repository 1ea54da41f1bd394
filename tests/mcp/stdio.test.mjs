// `deskwire mcp` as a chat application starts it: its output is JSON-RPC and nothing else, whatever happens around it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startApp } from '../support/app.mjs';
import { BINARY, binaryEnv, startDeskwire } from '../support/deskwire.mjs';
import { within } from '../support/events.mjs';
import { listen, single } from '../support/mcp-wire.mjs';
import { launch } from '../support/process.mjs';
import { invocations, offerTool } from '../support/tool.mjs';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {import('../support/deskwire.mjs').Deskwire} Deskwire */

/**
 * A stdio server, spoken to by hand.
 *
 * @param {TestContext} t
 * @param {Deskwire} desk
 * @param {string[]} [more]
 */
function startStdio(t, desk, more = []) {
  const child = launch(t, BINARY, ['mcp', '--gateway', desk.gateway, ...more], {
    cwd: desk.data,
    env: binaryEnv(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let id = 0;
  const send = (/** @type {object} */ message) =>
    child.handle.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const heard = () => child.stdout.all.map((line) => JSON.parse(line));
  const answer = (/** @type {number} */ wanted) =>
    child.stdout.until(`the answer to ${wanted}`, () => heard().find((message) => message.id === wanted));
  const begin = (/** @type {string} */ method, /** @type {object} */ params = {}) => {
    id += 1;
    send({ id, method, params });
    return id;
  };
  const request = (/** @type {string} */ method, /** @type {object} */ params = {}) => answer(begin(method, params));
  const call = (/** @type {string} */ name, /** @type {object} */ args = {}) =>
    request('tools/call', { name, arguments: args });
  const initialize = async () => {
    const opened = await request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'by-hand', version: '1' },
    });
    send({ method: 'notifications/initialized' });
    return opened;
  };
  const names = async () => (await request('tools/list')).result.tools.map((/** @type {any} */ tool) => tool.name);
  /**
   * Lists the tools now, and again with each notification, until the list is as expected.
   *
   * @param {string[]} expected
   */
  const lists = async (...expected) => {
    const told = () => heard().filter(({ method }) => method === 'notifications/tools/list_changed').length;
    for (;;) {
      const before = told();
      if (isDeepStrictEqual(await names(), expected)) return;
      await child.stdout.until(`to be told of [${expected}]`, () => told() > before);
    }
  };
  return { child, send, begin, answer, request, call, initialize, names, lists, heard };
}

describe('deskwire mcp', () => {
  test('writes JSON-RPC and nothing else, through calls, errors and losses', async (t) => {
    const desk = await startDeskwire(t);
    const app = await startApp(t, desk.gateway, 'app');
    await offerTool(app, { name: 'echo' }, ({ n }) => ({ n }));
    await offerTool(app, { name: 'refuse' }, () => {
      throw new Error('line one\nline two');
    });
    const server = startStdio(t, desk, ['--log', 'trace']);
    await server.initialize();
    assert.deepEqual(await server.names(), ['echo', 'refuse']);

    for (let n = 0; n < 20; n++) assert.deepEqual((await server.call('echo', { n })).result.structuredContent, { n });
    assert.equal((await server.call('refuse')).result.isError, true);
    assert.equal((await server.call('nobody')).error.code, -32602);
    server.child.handle.stdin?.write('this is not JSON\n');
    await server.request('ping');
    await app.end('SIGKILL');
    await desk.process.end('SIGKILL');
    assert.equal((await server.call('echo', { n: 1 })).result.isError, true);

    server.child.handle.stdin?.end();
    assert.deepEqual(await within('the server to leave', server.child.exited), { code: 0, signal: null });
    for (const message of server.heard()) {
      assert.equal(message.jsonrpc, '2.0');
      assert.ok('id' in message || 'method' in message, JSON.stringify(message));
    }
    assert.ok(server.child.stderr.all.length > 0, 'the log goes to stderr');
  });

  test('does not answer a call that was cancelled', async (t) => {
    const desk = await startDeskwire(t);
    const app = await startApp(t, desk.gateway, 'app');
    await offerTool(app, { name: 'slow' }, ({ answer }, { kept }) =>
      answer === undefined ? new Promise((resolve) => (kept.late = resolve)) : { answer },
    );
    const server = startStdio(t, desk);
    await server.initialize();

    const cancelled = server.begin('tools/call', { name: 'slow', arguments: {} });
    await app.events.next('the call to arrive');
    server.send({ method: 'notifications/cancelled', params: { requestId: cancelled, reason: 'changed my mind' } });
    await server.request('ping');
    await app.run(({ kept }) => kept.late({ answer: 'too late' }));

    assert.deepEqual((await server.call('slow', { answer: 'next' })).result.structuredContent, { answer: 'next' });
    assert.ok(!server.heard().some(({ id }) => id === cancelled));
  });

  test('starts without a bus, says so, and finds the tools when the bus comes', async (t) => {
    const desk = await startDeskwire(t, { command: 'gateway' });
    await desk.process.end('SIGTERM');
    const server = startStdio(t, desk);
    const started = performance.now();
    await server.initialize();
    assert.deepEqual(await server.names(), []);
    assert.ok(performance.now() - started < 5_000, 'the first list does not wait for the bus for long');
    await server.child.stderr.next('the reason', (line) => line.includes(String(desk.port)));

    await desk.restart();
    const app = await startApp(t, desk.gateway, 'app');
    await offerTool(app, { name: 'echo' }, ({ n }) => ({ n }));

    await server.lists('echo');
    assert.deepEqual((await server.call('echo', { n: 1 })).result.structuredContent, { n: 1 });
  });

  test('finds its bus again after that was killed, and calls each tool once', async (t) => {
    const desk = await startDeskwire(t, { command: 'gateway' });
    const app = await startApp(t, desk.gateway, 'app');
    await offerTool(app, { name: 'echo' }, ({ n }) => ({ n }));
    const server = startStdio(t, desk);
    await server.initialize();
    assert.deepEqual(await server.names(), ['echo']);

    await desk.process.end('SIGKILL');
    await server.lists();
    assert.equal((await server.call('echo', { n: 0 })).result.isError, true);
    await desk.restart();
    await server.lists('echo');

    assert.deepEqual((await server.call('echo', { n: 1 })).result.structuredContent, { n: 1 });
    assert.deepEqual(await invocations(app), [{ n: 1 }]);
  });

  test('ends with its input, also while somebody listens', async (t) => {
    const desk = await startDeskwire(t, { command: 'gateway' });
    const server = startStdio(t, desk);
    server.send(listen);
    await server.child.stdout.next('the acknowledgement', (line) => line.includes('subscriptions/acknowledged'));
    server.send(single('list', 'tools/list'));
    await server.child.stdout.next('the list', (line) => line.includes('"id":"list"'));
    const told = performance.now();
    server.child.handle.stdin?.end();
    assert.deepEqual(await within('the server to leave', server.child.exited), { code: 0, signal: null });
    assert.ok(performance.now() - told < 1_500, 'chat applications wait 2 s before they kill');
  });

  test('ends on SIGTERM', async (t) => {
    const desk = await startDeskwire(t, { command: 'gateway' });
    const server = startStdio(t, desk);
    await server.initialize();
    assert.deepEqual(await server.child.end('SIGTERM'), { code: 0, signal: null });
  });
});
