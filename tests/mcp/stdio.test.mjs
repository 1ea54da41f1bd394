// `deskwire mcp` as a chat application starts it: its output is JSON-RPC and nothing else, whatever happens around it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startApp } from '../support/app.mjs';
import { BINARY, binaryEnv, scratch, startDeskwire } from '../support/deskwire.mjs';
import { within } from '../support/events.mjs';
import { initialize, listen, single } from '../support/mcp-wire.mjs';
import { launch } from '../support/process.mjs';
import { invocations, offerTool } from '../support/tool.mjs';
import { joinWire } from '../support/wire.mjs';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {import('../support/deskwire.mjs').Deskwire} Deskwire */

/** How long the process itself may take to start on a busy machine, in milliseconds. */
const STARTING = 1_000;

/** A static tool that is listed whether somebody serves it or not. */
const fixed = {
  availability: 'constant',
  name: 'fixed',
  config: { description: 'Always there', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
  interop: { methodName: 'Fixed' },
};

/**
 * Starts a stdio server.
 *
 * @param {TestContext} t
 * @param {Deskwire} desk
 * @param {string[]} more
 */
function launchStdio(t, desk, more) {
  return launch(t, BINARY, ['mcp', '--gateway', desk.gateway, ...more], {
    cwd: desk.data,
    env: binaryEnv(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/**
 * Tells a stdio server everything at once and nothing more, as a script does. Returns what it answered, in
 * the order of the requests, and for how long it went on.
 *
 * @param {TestContext} t
 * @param {Deskwire} desk
 * @param {object[]} messages
 */
async function tellAtOnce(t, desk, messages) {
  const child = launchStdio(t, desk, []);
  const started = performance.now();
  child.handle.stdin?.end(messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n'));
  assert.deepEqual(await within('the server to leave', child.exited), { code: 0, signal: null });
  const heard = child.stdout.all.map((line) => JSON.parse(line));
  const requests = messages.filter((message) => 'id' in message);
  const answers = requests.map((request) => heard.find(({ id }) => 'id' in request && id === request.id));
  return { answers, took: performance.now() - started, log: child.stderr.all.join('\n') };
}

/**
 * A stdio server, spoken to by hand.
 *
 * @param {TestContext} t
 * @param {Deskwire} desk
 * @param {string[]} [more]
 */
function startStdio(t, desk, more = []) {
  const child = launchStdio(t, desk, more);
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

  test('joins the bus when it is asked for tools, not before', async (t) => {
    const desk = await startDeskwire(t, { command: 'gateway' });
    const watcher = await joinWire(t, desk.gateway, 'watcher');
    const seen = (/** @type {string} */ name) =>
      watcher.frames.next(`${name} to join`, ({ type, identity }) => type === 'peer-added' && identity?.application === name);
    const server = startStdio(t, desk);
    await server.request('server/discover', single('', '').params);
    await server.initialize();
    await server.request('ping');

    await joinWire(t, desk.gateway, 'later');
    await seen('later');
    const before = watcher.frames.all.map(({ identity }) => identity?.application);
    assert.ok(!before.includes('deskwire'), 'nobody needed the bus');
    assert.deepEqual(await server.names(), []);
    await seen('deskwire');
  });

  test('without a bus lists what needs none, says why, and follows the bus as it comes and goes', async (t) => {
    const desk = await startDeskwire(t, { command: 'gateway' });
    await desk.process.end('SIGTERM');
    const config = join(desk.data, 'static.json');
    writeFileSync(config, JSON.stringify({ server: { tools: { static: { methods: [fixed] } } } }));
    const server = startStdio(t, desk, ['--config', config]);
    await server.initialize();
    const started = performance.now();
    assert.deepEqual(await server.names(), ['fixed']);
    assert.ok(performance.now() - started < 2_500, 'the first list waits 1.5 s at most');
    await server.child.stderr.next('the reason', (line) => /WARN.*no gateway at/.test(line) && line.includes(desk.gateway));
    for (const name of ['fixed', 'echo']) {
      const { isError, content } = (await server.call(name)).result;
      assert.equal(isError, true);
      assert.ok(content[0].text.includes(desk.gateway), content[0].text);
      assert.match(content[0].text, /start the gateway/);
    }

    const again = await desk.restart();
    const app = await startApp(t, desk.gateway, 'app');
    await offerTool(app, { name: 'echo' }, ({ n }) => ({ n }));
    await server.lists('fixed', 'echo');
    assert.deepEqual((await server.call('echo', { n: 1 })).result.structuredContent, { n: 1 });
    assert.equal((await server.call('nobody')).error.code, -32602, 'a bus that is there is no excuse');

    await again.process.end('SIGKILL');
    await server.lists('fixed');
    const { isError, content } = (await server.call('echo', { n: 2 })).result;
    assert.equal(isError, true);
    assert.match(content[0].text, /`echo` cannot be called now: this server is not on its bus/);
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

  test('answers all that it was asked, though its input ended at once', async (t) => {
    const desk = await startDeskwire(t);
    const app = await startApp(t, desk.gateway, 'app');
    await offerTool(app, { name: 'echo' }, ({ n }) => ({ n }));
    await offerTool(app, { name: 'never' }, () => new Promise(() => {}));
    const call = (/** @type {string} */ name) => ({ name, arguments: { n: 1 } });
    const session = [
      initialize(),
      { method: 'notifications/initialized' },
      { id: 1, method: 'tools/list' },
      { id: 2, method: 'tools/call', params: call('echo') },
      { id: 3, method: 'tools/call', params: call('never') },
    ];
    const alone = [
      single('discover', 'server/discover'),
      single('list', 'tools/list'),
      single('call', 'tools/call', call('echo')),
      single('never', 'tools/call', call('never')),
    ];
    for (const messages of [session, alone]) {
      const { answers, took } = await tellAtOnce(t, desk, messages);
      const [, list, echo, never] = answers.map((answer) => answer?.result);
      assert.equal(list.tools.length, 2);
      assert.deepEqual(echo.structuredContent, { n: 1 });
      assert.match(never.content[0].text, /cancelled/);
      assert.ok(took < 3_000 + STARTING, `${took} ms`);
    }
  });

  test('answers all that it was asked, though there is no bus either', async (t) => {
    const desk = await startDeskwire(t, { command: 'gateway' });
    await desk.process.end('SIGTERM');
    const { answers, took, log } = await tellAtOnce(t, desk, [
      initialize(),
      { id: 1, method: 'tools/list' },
      { id: 2, method: 'tools/call', params: { name: 'echo', arguments: {} } },
    ]);
    assert.deepEqual(answers[1].result.tools, []);
    assert.ok(answers[2].result.content[0].text.includes(desk.gateway));
    assert.ok(log.includes(desk.gateway), log);
    assert.ok(took < 3_000 + STARTING, `${took} ms`);
  });

  test('ends with its input, also when somebody began to listen just before', async (t) => {
    const desk = await startDeskwire(t, { command: 'gateway' });
    const { answers, took } = await tellAtOnce(t, desk, [listen, single('list', 'tools/list')]);
    assert.ok(answers.every((answer) => answer?.result !== undefined), JSON.stringify(answers));
    assert.ok(took < 1_500 + STARTING, `${took} ms`);
  });

  test('ends on SIGTERM within 3 s, and tells who still waits for an answer', async (t) => {
    const desk = await startDeskwire(t);
    const app = await startApp(t, desk.gateway, 'app');
    await offerTool(app, { name: 'never' }, () => new Promise(() => {}));
    const server = startStdio(t, desk);
    await server.initialize();
    const waiting = server.begin('tools/call', { name: 'never', arguments: {} });
    await app.events.next('the call to arrive');
    const told = performance.now();
    assert.deepEqual(await server.child.end('SIGTERM'), { code: 0, signal: null });
    assert.ok(performance.now() - told < 3_000);
    assert.match((await server.answer(waiting)).result.content[0].text, /cancelled/);
  });

  test('ends on SIGTERM before a session began', async (t) => {
    const desk = await startDeskwire(t, { command: 'gateway' });
    const server = startStdio(t, desk);
    await server.request('ping');
    const told = performance.now();
    assert.deepEqual(await server.child.end('SIGTERM'), { code: 0, signal: null });
    assert.ok(performance.now() - told < 3_000);
  });

  test('says what is wrong with its configuration, and nothing on stdout', async (t) => {
    const child = launch(t, BINARY, ['mcp', '--gateway', 'http://desk/gw'], { cwd: scratch(t), env: binaryEnv() });
    assert.equal((await within('the server to leave', child.exited)).code, 2);
    assert.deepEqual(child.stdout.all, []);
    assert.match(child.stderr.all.join('\n'), /ws:\/\/127\.0\.0\.1:4111\/gw/);
  });
});
