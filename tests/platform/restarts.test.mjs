// Windows over a restart of the server: pages that can stay, stay.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.mjs';
import { startDeskwire } from '../support/deskwire.mjs';
import { openWire } from '../support/wire.mjs';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {import('../support/app.mjs').App} App */
/** @typedef {{ windowId: string, instanceId: string, appName: string, state: string }} Window */
/** @typedef {{ application: string, instanceId: string, gatewayUrl: string, gatewayToken: string }} Ticket */

/**
 * The page of a frame: what it was told first, and calls by name.
 *
 * @param {TestContext} t
 * @param {string} gateway
 * @param {object} attach what it says of itself
 * @param {string[][]} workspaces applications of those that it makes, the last one selected
 */
async function startFrame(t, gateway, attach, workspaces = []) {
  const app = await startApp(t, gateway, 'frame');
  /** @type {any[]} */
  const known = await app.run(
    async ({ io }, { attach, workspaces }) => {
      const { returned } = await io.interop.invoke('Deskwire.Frame.Attach', attach, 'best', { waitTimeoutMs: 15_000 });
      for (const apps of workspaces) {
        const children = apps.map((appName) => ({ type: 'window', appName }));
        await io.interop.invoke('T42.Workspaces.Control', { operation: 'createWorkspace', operationArguments: { children } });
      }
      const subscription = await io.interop.subscribe('Deskwire.Frame.Events', { arguments: { frameId: returned.frameId } });
      return await new Promise((resolve) => subscription.onData(({ data }) => data.type === 'snapshot' && resolve(data.workspaces)));
    },
    { attach, workspaces },
  );
  /** @type {Record<string, Window>} */
  const windows = {};
  for (const workspace of known) {
    for (const window of Object.values(workspace.windows)) windows[window.appName] = window;
  }
  return { app, known, windows };
}

/**
 * @param {App} frame
 * @param {string} windowId
 * @returns {Promise<Ticket>}
 */
async function ticketOf(frame, windowId) {
  return await frame.run(async ({ io }, windowId) => (await io.interop.invoke('Deskwire.Frame.Window', { windowId })).returned, windowId);
}

/**
 * The page of a window, with the client library's own way to come back: it asks again, as often as it is denied.
 *
 * @param {TestContext} t
 * @param {Ticket} ticket
 */
async function startPage(t, { application, gatewayUrl, gatewayToken }) {
  const page = await startApp(t, gatewayUrl, application, {
    auth: { gatewayToken },
    gateway: { ws: gatewayUrl, protocolVersion: 3, reconnectInterval: 200, reconnectAttempts: 100 },
  });
  await page.run(async ({ io, kept }, name) => {
    kept.asked = 0;
    await io.interop.register(name, () => ({ asked: ++kept.asked, instance: io.interop.instance.instance }));
  }, `${application}.whoami`);
  return page;
}

/**
 * Asks a page who it is, and the bus who has answered.
 *
 * @param {App} frame
 * @param {string} application
 */
async function ask(frame, application) {
  return await frame.run(async ({ io }, name) => {
    const { returned, executed_by: by } = await io.interop.invoke(name, {}, 'best', { waitTimeoutMs: 15_000 });
    return { ...returned, by: by?.instance, application: by?.application };
  }, `${application}.whoami`);
}

/**
 * Why a token is refused now.
 *
 * @param {TestContext} t
 * @param {string} gateway
 * @param {string} token
 */
async function refusal(t, gateway, token) {
  const wire = await openWire(t, gateway);
  const answer = await wire.request({
    type: 'hello',
    domain: 'global',
    identity: { application: 'page' },
    authentication: { method: 'gateway-token', token },
  });
  return answer.type === 'error' ? answer.reason : answer.type;
}

test('pages of a desk that outlives the server stay what they were, without a reload', async (t) => {
  const desk = await startDeskwire(t, { config: null });
  const before = await startFrame(t, desk.gateway, { frameId: 'screen' }, [['clients', 'orders'], ['notes', 'portfolio']]);
  const tickets = Object.fromEntries(
    await Promise.all(
      Object.values(before.windows).map(async ({ appName, windowId }) => [appName, await ticketOf(before.app, windowId)]),
    ),
  );
  await Promise.all(['clients', 'notes'].map((name) => startPage(t, tickets[name])));
  for (const name of ['clients', 'notes']) {
    assert.deepEqual(await ask(before.app, name), { asked: 1, instance: tickets[name].instanceId, by: tickets[name].instanceId, application: name });
  }

  await before.app.end();
  await desk.process.end('SIGKILL');
  const again = await desk.restart();
  assert.match(await refusal(t, again.gateway, tickets.clients.gatewayToken), /is not running/);

  // The page of `orders` is gone; that of `portfolio` has another one's token.
  const said = (/** @type {string} */ name, proof = name) => {
    const { windowId, instanceId } = before.windows[name];
    return { windowId, instanceId, gatewayToken: tickets[proof].gatewayToken };
  };
  const running = [said('clients'), said('notes'), said('portfolio', 'orders'), { windowId: 7 }];
  const after = await startFrame(t, again.gateway, { frameId: 'screen', windows: running });

  const instances = (/** @type {typeof after} */ { windows }) =>
    Object.fromEntries(Object.entries(windows).map(([name, { windowId, instanceId }]) => [name, { windowId, instanceId }]));
  const [was, is] = [instances(before), instances(after)];
  assert.deepEqual([is.clients, is.notes], [was.clients, was.notes]);
  for (const name of ['orders', 'portfolio']) {
    assert.equal(is[name].windowId, was[name].windowId);
    assert.notEqual(is[name].instanceId, was[name].instanceId, `${name} has proven nothing`);
  }
  assert.deepEqual(after.known.map(({ selected, hibernated }) => ({ selected, hibernated })), [
    { selected: false, hibernated: false },
    { selected: true, hibernated: false },
  ]);
  assert.deepEqual(await ticketOf(after.app, is.notes.windowId), tickets.notes);

  // The library comes back by itself, in a page that has not been loaded anew.
  for (const name of ['clients', 'notes']) {
    assert.deepEqual(await ask(after.app, name), { asked: 2, instance: is[name].instanceId, by: is[name].instanceId, application: name });
  }
  for (const name of ['orders', 'portfolio']) {
    assert.match(await refusal(t, again.gateway, tickets[name].gatewayToken), /is not running/);
  }
});
