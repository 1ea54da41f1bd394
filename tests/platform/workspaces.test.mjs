// Workspaces of the product, driven by the unmodified libraries of the desktop.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { startDeskwire } from '../support/deskwire.mjs';

/** A client with the workspaces library. */
const LIBRARY = /** @type {const} */ ({ workspaces: true, layouts: 'full', appManager: 'full' });

test('the workspaces of the demo are listed, opened with a context, and closed', async (t) => {
  const desk = await startDeskwire(t, { config: null });
  const client = await startDesktopApp(t, desk.gateway, 'client', LIBRARY);
  const seen = await client.run(async ({ io }) => {
    const { workspaces } = /** @type {any} */ (io);
    const listed = (await workspaces.layouts.getSummaries()).map((/** @type {any} */ one) => one.name);
    const opened = await workspaces.restoreWorkspace('client-review', { context: { clientId: 'C-1001' } });
    const apps = opened.getAllWindows().map((/** @type {any} */ one) => one.appName).sort();
    const context = await opened.getContext();
    const { title } = opened;
    await opened.close();
    const left = await workspaces.getAllWorkspacesSummaries();
    return { listed: listed.sort(), title, apps, context, left: left.length };
  });
  assert.deepEqual(seen, {
    listed: ['client-review', 'trading'],
    title: 'Client review',
    apps: ['clients', 'notes', 'orders', 'portfolio'],
    context: { clientId: 'C-1001' },
    left: 0,
  });
});

test('a workspace that is created can be saved, exported, opened again and deleted', async (t) => {
  const desk = await startDeskwire(t, { config: null });
  const client = await startDesktopApp(t, desk.gateway, 'client', LIBRARY);
  const made = await client.run(async ({ io }) => {
    const { workspaces } = /** @type {any} */ (io);
    const workspace = await workspaces.createWorkspace({
      children: [
        {
          type: 'row',
          children: [
            { type: 'group', config: { width: 30 }, children: [{ type: 'window', appName: 'clients' }] },
            { type: 'group', children: [{ type: 'window', appName: 'nobody-knows' }] },
          ],
        },
      ],
      config: { title: 'Mine' },
      context: { clientId: 'C-1002' },
    });
    await workspace.saveLayout('mine', { saveContext: true });
    const layout = (await workspaces.layouts.export()).find((/** @type {any} */ one) => one.name === 'mine');
    return { id: workspace.id, layout };
  });
  assert.equal(made.layout.type, 'Workspace');

  // What was acknowledged outlives the process: the saved layout, and the open workspace with its context.
  await desk.process.end('SIGKILL');
  const again = await desk.restart();
  const later = await startDesktopApp(t, again.gateway, 'later', LIBRARY);
  const seen = await later.run(async ({ io }, id) => {
    const { workspaces } = /** @type {any} */ (io);
    const open = await workspaces.getWorkspaceById(id);
    const context = await open.getContext();
    const restored = await workspaces.restoreWorkspace('mine');
    const apps = restored.getAllWindows().map((/** @type {any} */ one) => one.appName);
    const saved = await restored.getContext();
    await workspaces.layouts.delete('mine');
    const names = (await workspaces.layouts.getSummaries()).map((/** @type {any} */ one) => one.name);
    return { title: open.title, context, apps, saved, names: names.sort() };
  }, made.id);
  assert.deepEqual(seen, {
    title: 'Mine',
    context: { clientId: 'C-1002' },
    apps: ['clients', 'nobody-knows'],
    saved: { clientId: 'C-1002' },
    names: ['client-review', 'trading'],
  });
});
