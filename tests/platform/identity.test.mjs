// Who may call itself what on the bus of a desktop, and from where.

import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../support/app.mjs';
import { openDesk } from '../support/desk.mjs';
import { BINARY, binaryEnv, scratch, startDeskwire } from '../support/deskwire.mjs';
import { ask } from '../support/http.mjs';
import { nodeApp, program } from '../support/programs.mjs';
import { run } from '../support/process.mjs';
import { openWire, Refused } from '../support/wire.mjs';

const page = (/** @type {string} */ name, /** @type {string} */ url) => ({ name, type: 'window', details: { url } });

/**
 * `deskwire up` with these applications.
 *
 * @param {import('node:test').TestContext} t
 * @param {object[]} definitions
 * @param {object} [platform] more of its settings
 */
async function startDesk(t, definitions, platform = {}) {
  const data = scratch(t);
  const define = (/** @type {object[]} */ all) => {
    writeFileSync(join(data, '.apps.new'), JSON.stringify(all));
    renameSync(join(data, '.apps.new'), join(data, 'apps.json'));
  };
  define(definitions);
  writeFileSync(join(data, 'worker.js'), program('@interopio/core', {}, async (io) => {
    await io.interop.register('Who.Worker', () => ({ ...io.interop.instance }));
  }));
  const desk = await startDeskwire(t, { data, config: { platform: { applications: ['apps.json'], ...platform } } });
  return { ...desk, define };
}

/**
 * What a hello as `identity` is answered with.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} gateway
 * @param {object} identity
 * @param {object} [authentication]
 */
async function hello(t, gateway, identity, authentication = { method: 'secret', login: 'x', secret: 'x' }) {
  const peer = await openWire(t, gateway);
  return await peer.request({ type: 'hello', domain: 'global', identity, authentication });
}

test('a running instance is nobody but what the desktop started', async (t) => {
  const desk = await startDesk(t, [nodeApp('worker')]);
  const client = await startApp(t, desk.gateway, 'client');
  const worker = await client.run(async ({ io }) => {
    await io.interop.invoke('T42.ACS.StartApplication', { Name: 'worker' });
    return (await io.interop.invoke('Who.Worker', {}, 'best', { waitTimeoutMs: 30_000 })).returned;
  });
  const answer = await hello(t, desk.gateway, { application: 'worker', instance: worker.instance });
  assert.equal(answer.type, 'error');
  assert.match(answer.reason, new RegExp(`${worker.instance}.*gateway-token`));
  const other = await hello(t, desk.gateway, { application: 'worker', instance: 'another' });
  assert.equal(other.type, 'welcome', 'a name alone is free');
});

test('a strict desktop keeps the names of its applications', async (t) => {
  const desk = await startDesk(t, [nodeApp('worker')], { strictIdentity: true });
  const refused = async (/** @type {object} */ identity) => {
    const answer = await hello(t, desk.gateway, identity);
    assert.equal(answer.type, 'error', JSON.stringify(answer));
    assert.match(answer.reason, /is the name of a defined application.*start it with the desktop/);
  };
  await refused({ application: 'worker' });
  await refused({ application: 'x', applicationName: 'worker' });
  await assert.rejects(startApp(t, desk.gateway, 'worker'), /name of a defined application/);

  const client = await startApp(t, desk.gateway, 'client');
  const worker = await client.run(async ({ io }) => {
    await io.interop.invoke('T42.ACS.StartApplication', { Name: 'worker' });
    return (await io.interop.invoke('Who.Worker', {}, 'best', { waitTimeoutMs: 30_000 })).returned;
  });
  assert.equal(worker.application, 'worker');

  // A definition that comes later keeps its name from then on.
  assert.equal((await hello(t, desk.gateway, { application: 'late' })).type, 'welcome');
  await client.run(({ io, emit }) => {
    io.interop.subscribe('T42.ACS.OnEvent', { arguments: { skipIcon: true } }).then((events) => {
      events.onData(({ data }) => {
        for (const one of Object.values(data.OnApplicationAdded ?? {})) emit(/** @type {any} */ (one).Name);
      });
    });
  });
  desk.define([nodeApp('worker'), nodeApp('late')]);
  await client.events.next('the definition', (name) => name === 'late');
  await refused({ application: 'late' });
  const log = desk.process.stderr.all.join('\n');
  assert.doesNotMatch(log, /strictIdentity/, 'no warning that it does nothing');
});

test('doctor marks who uses a defined name without proof', async (t) => {
  const desk = await startDesk(t, [nodeApp('worker'), page('shown', 'http://localhost:4100/')]);
  const client = await startApp(t, desk.gateway, 'client');
  await client.run(async ({ io }) => {
    await io.interop.invoke('T42.ACS.StartApplication', { Name: 'worker' });
    await io.interop.invoke('Who.Worker', {}, 'best', { waitTimeoutMs: 30_000 });
  });
  const doctor = async () => {
    const env = { ...binaryEnv(), DESKWIRE_URL: desk.mcp };
    return (await run(t, BINARY, ['doctor'], { cwd: desk.data, env })).out;
  };
  assert.doesNotMatch(await doctor(), /unverified/, 'what the desktop started is verified');
  const shown = await startApp(t, desk.gateway, 'shown');
  const id = await shown.run(({ io }) => io.interop.instance.instance);
  assert.match(await doctor(), new RegExp(`instance ${id} of shown: visible[^]*unverified[^]*strictIdentity`));
  const found = await (await fetch(`${desk.base}/api/diagnostics`)).json();
  const marked = found.filter((/** @type {any} */ one) => one.code === 'unverified');
  assert.deepEqual(marked.map((/** @type {any} */ one) => [one.kind, one.name, one.app]), [['instance', id, 'shown']]);
});

test('pages of defined applications are on the bus with their token, and nowhere else', async (t) => {
  const origin = 'http://apps.example:4100';
  const desk = await startDesk(t, [page('shown', `${origin}/shown/?x=1`)]);
  const from = (/** @type {string} */ origin) => openWire(t, desk.gateway, { origin });
  const refused = (/** @type {unknown} */ error) => error instanceof Refused && error.status === 403;

  const anonymous = await from(origin);
  const denied = await anonymous.request({ type: 'hello', domain: 'global', identity: { application: 'shown' } });
  assert.match(denied.reason, /gateway-token/);
  await assert.rejects(anonymous.hello('shown'), /gateway-token/, 'a secret is no token');

  const shows = await openDesk(t, desk.gateway);
  const client = await startApp(t, desk.gateway, 'client');
  await client.run(({ io }) => io.interop.invoke('T42.ACS.StartApplication', { Name: 'shown' }).then(() => {}));
  const ticket = await shows.events.next('a ticket');
  const welcome = await (await from(origin)).request({
    type: 'hello',
    domain: 'global',
    identity: { application: 'anything' },
    authentication: { method: 'gateway-token', token: ticket.gatewayToken },
  });
  assert.equal(welcome.resolved_identity.instance, ticket.instanceId);

  for (const other of ['http://apps.example', 'https://apps.example:4100', 'http://evil.example', 'null']) {
    await assert.rejects(from(other), refused, other);
  }
  for (const path of ['/', '/api/diagnostics', '/healthz', '/gw/']) {
    const { status, headers } = await ask(desk.base + path, { headers: { origin } });
    assert.equal(status, 403, path);
    assert.equal(headers['access-control-allow-origin'], undefined, path);
  }
});

test('pages of definitions that are loaded later come in, those of definitions that are gone do not', async (t) => {
  const [one, two] = ['http://one.example', 'http://two.example'];
  const desk = await startDesk(t, [page('one', `${one}/`)]);
  const status = async (/** @type {string} */ origin) => {
    try {
      const peer = await openWire(t, desk.gateway, { origin });
      peer.socket.terminate();
      return 101;
    } catch (error) {
      if (error instanceof Refused) return error.status;
      throw error;
    }
  };
  assert.deepEqual([await status(one), await status(two)], [101, 403]);
  const client = await startApp(t, desk.gateway, 'client');
  await client.run(async ({ io, emit }) => {
    const events = await io.interop.subscribe('T42.ACS.OnEvent', { arguments: { skipIcon: true } });
    events.onData(({ data }) => {
      for (const one of Object.values(data.OnApplicationAdded ?? {})) emit(/** @type {any} */ (one).Name);
    });
  });
  desk.define([page('two', `${two}/`)]);
  await client.events.next('the definition', (name) => name === 'two');
  assert.deepEqual([await status(one), await status(two)], [403, 101]);
});
