// Windows of workspaces that a desk page shows, as `io.windows` and the workspaces library see them.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { loadPage, openDesk } from '../support/desk.mjs';
import { scratch, startDeskwire } from '../support/deskwire.mjs';

const LIBRARY = /** @type {const} */ ({ workspaces: true, layouts: 'full', appManager: 'full' });

test('a window is loaded, is among the windows of the desktop, and is the instance that joins the bus', async (t) => {
  const up = await startDeskwire(t, { config: null });
  const desk = await openDesk(t, up.gateway);
  const client = await startDesktopApp(t, up.gateway, 'client', LIBRARY);
  const made = await client.run(async ({ io, emit }) => {
    const { workspaces } = /** @type {any} */ (io);
    await workspaces.onWindowLoaded((/** @type {any} */ window) => emit(`loaded ${window.appName} ${window.id}`));
    io.windows.onWindowAdded((window) => emit(`window ${window.name} ${window.id}`));
    const workspace = await workspaces.createWorkspace({
      children: [{ type: 'window', appName: 'clients', context: { clientId: 'C-1001' } }],
    });
    return workspace.id;
  });
  const ticket = await desk.events.next('a window to load', (one) => one.application === 'clients');
  await client.events.until('it to be loaded', (all) => all.includes(`loaded clients ${ticket.windowId}`));
  await client.events.until('the window', (all) => all.includes(`window clients ${ticket.windowId}`));

  const page = await loadPage(t, ticket);
  const self = await page.run(({ io }) => [io.interop.instance.instance, io.interop.instance.application]);
  assert.deepEqual(self, [ticket.instanceId, 'clients']);
  const seen = await client.run(async ({ io }, { made, ticket }) => {
    const { workspaces } = /** @type {any} */ (io);
    const workspace = await workspaces.getWorkspaceById(made);
    const [item] = workspace.getAllWindows();
    const window = io.windows.findById(ticket.windowId);
    const context = await window?.getContext();
    const { isLoaded: loaded } = item;
    await window?.setTitle('Of a client');
    await workspace.refreshReference();
    const { title } = workspace.getAllWindows()[0];
    const same = item.getGdWindow().id;
    await window?.updateContext({ more: 1 });
    const updated = await window?.getContext();
    await window?.close();
    await workspace.refreshReference();
    return { loaded, context, updated, title, same, left: workspace.getAllWindows().length };
  }, { made, ticket });
  assert.deepEqual(seen, {
    loaded: true,
    context: { clientId: 'C-1001' },
    updated: { clientId: 'C-1001', more: 1 },
    title: 'Of a client',
    same: ticket.windowId,
    left: 0,
  });
});

test('an application of the type window is started in the desk page, and stopped', async (t) => {
  const up = await startDeskwire(t, { config: null });
  const desk = await openDesk(t, up.gateway);
  const client = await startDesktopApp(t, up.gateway, 'client', LIBRARY);
  const starting = client.run(async ({ io }) => {
    const instance = await io.apps.instances.start({ name: 'notes', context: { text: 'hello' } });
    return instance.id;
  });
  const ticket = await desk.events.next('a window to load', (one) => one.application === 'notes');
  const id = await starting;
  assert.equal(id, ticket.instanceId);
  assert.deepEqual(ticket.startingContext, { text: 'hello' });
  const left = await client.run(async ({ io }, id) => {
    await io.apps.instances.stop({ id });
    return { instances: (await io.apps.instances.getMany()).length, windows: io.windows.list().length };
  }, id);
  assert.deepEqual(left, { instances: 0, windows: 0 });
});

test('a workspace that is saved is told as a layout', async (t) => {
  const up = await startDeskwire(t, { config: null });
  const client = await startDesktopApp(t, up.gateway, 'client', LIBRARY);
  await client.run(async ({ io, emit }) => {
    const { workspaces } = /** @type {any} */ (io);
    await workspaces.layouts.onSaved((/** @type {any} */ layout) => emit(`saved ${layout.name}`));
    await workspaces.layouts.onRemoved((/** @type {any} */ layout) => emit(`removed ${layout.name}`));
    io.layouts.onAdded((layout) => emit(`added ${layout.type} ${layout.name}`));
    io.layouts.onChanged((layout) => emit(`changed ${layout.type} ${layout.name}`));
    const workspace = await workspaces.createWorkspace({ children: [{ type: 'window', appName: 'clients' }] });
    await workspace.saveLayout('mine');
    await workspaces.layouts.save({ name: 'mine', workspaceId: workspace.id, metadata: { second: true } });
    await workspaces.layouts.delete('mine');
  });
  for (const event of ['saved mine', 'added Workspace mine', 'changed Workspace mine', 'removed mine']) {
    await client.events.until(event, (all) => all.includes(event));
  }
});

test('what a window wants saved is saved with its workspace', async (t) => {
  const up = await startDeskwire(t, { config: null });
  const desk = await openDesk(t, up.gateway);
  const client = await startDesktopApp(t, up.gateway, 'client', LIBRARY);
  const id = await client.run(async ({ io }) => {
    const window = (/** @type {string} */ appName) => ({ type: 'window', appName, context: { started: appName } });
    const children = [{ type: 'group', children: [window('clients'), window('notes')] }];
    return (await /** @type {any} */ (io).workspaces.createWorkspace({ children })).id;
  });
  const tickets = [await desk.events.next('a window'), await desk.events.next('another window')];
  const own = tickets.find((one) => one.application === 'clients');
  const page = await loadPage(t, own);
  await page.run(({ io }) => io.interop.register('T42.HC.GetSaveContext', () => ({ windowContext: { scrolled: 7 } })));
  const contexts = await client.run(async ({ io }, workspaceId) => {
    const { workspaces } = /** @type {any} */ (io);
    const saved = await workspaces.layouts.save({ name: 'mine', workspaceId });
    const windows = saved.components[0].state.children[0].children;
    return windows.map((/** @type {any} */ one) => [one.config.appName, one.config.context ?? one.context]);
  }, id);
  assert.deepEqual(contexts, [['clients', { scrolled: 7 }], ['notes', { started: 'notes' }]]);
});

test('windows that start with the desktop open with the first desk page, once', async (t) => {
  const data = scratch(t);
  const page = (/** @type {string} */ name, more = {}) => ({ name, type: 'window', details: { url: 'http://localhost/' }, ...more });
  writeFileSync(join(data, 'apps.json'), JSON.stringify([page('auto', { autoStart: true }), page('other')]));
  const up = await startDeskwire(t, { data, config: { platform: { applications: ['apps.json'] } } });
  const desk = await openDesk(t, up.gateway);
  const ticket = await desk.events.next('a window');
  assert.equal(ticket.application, 'auto');
  await up.process.end('SIGTERM');
  const again = await up.restart();
  const later = await openDesk(t, again.gateway);
  await later.events.next('the window of before', (one) => one.application === 'auto');
  const client = await startDesktopApp(t, again.gateway, 'client', LIBRARY);
  const names = await client.run(async ({ io }) => {
    await io.apps.instances.start({ name: 'other' }); // comes after what comes by itself
    return (await io.apps.instances.getMany()).map((one) => one.appName);
  });
  assert.deepEqual(names, ['auto', 'other']);
});

test('a page that was opened by its address comes back with its workspace', async (t) => {
  const up = await startDeskwire(t, { config: null });
  const desk = await openDesk(t, up.gateway);
  const client = await startDesktopApp(t, up.gateway, 'client', LIBRARY);
  await client.run(({ io }) => io.windows.open('loose', 'http://localhost:4100/loose?x=1').then(() => {}));
  const first = await desk.events.next('a window', (one) => one.application === 'loose');
  await client.run(async ({ io }) => {
    const [workspace] = await /** @type {any} */ (io).workspaces.getAllWorkspaces();
    await workspace.hibernate();
    await workspace.resume();
  });
  const second = await desk.events.next('it again', (one) => one.application === 'loose');
  assert.deepEqual([second.url, second.windowId], ['http://localhost:4100/loose?x=1', first.windowId]);
  assert.notEqual(second.instanceId, first.instanceId);
});
