// The unmodified client library against `workspaces.rs` beside it. By hand, in a folder with
// `@interopio/core`, `@interopio/workspaces-api` and `ws` installed:
//
//     node workspaces.mjs <path of the built example> [figures]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import test from 'node:test';

const require = createRequire(join(process.cwd(), 'here.js'));
const Core = require('@interopio/core');
const Workspaces = require('@interopio/workspaces-api');

const [host = '', only] = process.argv.slice(2);

async function start() {
  const server = spawn(host, only === 'figures' ? ['--no-page'] : [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(server.stdout);
  const [url] = await once(lines, 'line');
  const factory = Core.default ?? Core;
  const io = await factory({
    application: 'client',
    gateway: { protocolVersion: 3, ws: url },
    auth: { username: 'person', password: 'person' },
    metrics: false,
    insights: false,
    logger: { console: 'error' },
  });
  io.agm ??= io.interop;
  // What the library takes from the desktop around it. Windows are those that are said to be loaded.
  io.windows = { list: () => [], onWindowAdded: () => () => {}, my: () => ({}) };
  io.layouts = {};
  await (Workspaces.default ?? Workspaces)(io);
  const stop = async () => {
    await io.done?.();
    server.stdin.end();
    await once(server, 'exit');
  };
  return { io, workspaces: io.workspaces, stop };
}

/** Collects what a subscription tells. */
function collector() {
  const seen = [];
  const waiting = [];
  const push = (value) => {
    seen.push(value);
    for (const wait of waiting.splice(0)) wait();
  };
  const next = async () => {
    while (seen.length === 0) await new Promise((resolve) => waiting.push(resolve));
    return seen.shift();
  };
  return { push, next };
}

const { io, workspaces, stop } = await start();
test.after(stop);

const definition = () => ({
  children: [
    {
      type: 'row',
      children: [
        { type: 'group', children: [{ type: 'window', appName: 'clients' }, { type: 'window', appName: 'orders' }] },
        { type: 'window', appName: 'nope', context: { id: 7 } },
      ],
    },
  ],
  config: { title: 'Trading', allowDrop: true },
  context: { selected: 'CL-1' },
});

test('creates, reads and follows a workspace', { skip: only === 'figures' }, async () => {
  const opened = collector();
  const loaded = collector();
  await workspaces.onWorkspaceOpened(opened.push);
  await workspaces.onWindowAdded(loaded.push);
  const workspace = await workspaces.createWorkspace(definition());
  assert.equal(workspace.title, 'Trading');
  assert.equal((await opened.next()).id, workspace.id);
  for (const app of ['clients', 'orders', 'nope']) assert.equal((await loaded.next()).appName, app);
  assert.deepEqual(await workspace.getContext(), { selected: 'CL-1' });
  assert.equal(workspace.getAllWindows().length, 3);
  assert.equal(workspace.getAllRows()[0].children.length, 2);
  const [summary] = await workspaces.getAllWorkspacesSummaries();
  assert.equal(summary.id, workspace.id);
  assert.equal((await workspaces.getWorkspaceById(workspace.id)).title, 'Trading');
  assert.equal((await workspaces.getAllWorkspaces()).length, 1);
  await workspace.setTitle('Renamed');
  assert.equal(workspace.title, 'Renamed');
  const [frame] = await workspaces.getAllFrames();
  assert.equal(workspace.frameId, frame.id);
  assert.deepEqual(await frame.getBounds(), { left: 0, top: 0, width: 1200, height: 800 });
  assert.equal(await frame.state(), 'normal');
  assert.equal((await frame.snapshot()).workspaces.length, 1);
  assert.equal((await frame.workspaces()).length, 1);
});

test('changes what is in it', { skip: only === 'figures' }, async () => {
  const [workspace] = await workspaces.getAllWorkspaces();
  const row = workspace.getAllRows()[0];
  const added = await row.addWindow({ appName: 'notes', context: { n: 1 } });
  assert.equal(added.appName, 'notes');
  await added.setTitle('My notes');
  assert.equal(workspace.getWindow((w) => w.appName === 'notes').title, 'My notes');
  const column = await row.addColumn();
  assert.equal(column.type, 'column');
  await column.addWindow({ appName: 'charts' });
  await added.moveTo(workspace.getAllGroups()[0]);
  assert.equal(workspace.getAllGroups()[0].children.length, 3);
  await workspace.getAllGroups()[0].setSize({ width: 400 });
  assert.ok(Math.abs(workspace.getAllGroups()[0].width - 400) < 0.01, workspace.getAllGroups()[0].width);
  const maximized = collector();
  await workspace.onWindowMaximized(maximized.push);
  const notes = workspace.getWindow((w) => w.appName === 'notes');
  await notes.maximize();
  assert.equal((await maximized.next()).appName, 'notes');
  assert.equal(workspace.getWindow((w) => w.appName === 'notes').isMaximized, true);
  await notes.restore();
  await notes.focus();
  await notes.lock({ allowExtract: false });
  assert.equal(workspace.getWindow((w) => w.appName === 'notes').allowExtract, false);
  await workspace.lock();
  assert.equal(workspace.allowDrop, false);
  await workspace.getAllGroups()[0].lock({ allowDrop: false });
  assert.equal(workspace.getAllGroups()[0].allowDrop, false);
  await workspace.pin({ icon: 'data:,x' });
  assert.equal(await workspace.getIcon(), 'data:,x');
  await workspace.unpin();
  await workspace.setIcon('data:,y');
  assert.equal(await workspace.getIcon(), 'data:,y');
  await workspace.bundleToColumn();
  await workspace.refreshReference();
  assert.equal(workspace.children[0].type, 'column');
  const removed = collector();
  await workspace.onWindowRemoved(removed.push);
  await notes.close();
  await removed.next();
  assert.equal(workspace.getWindow((w) => w.appName === 'notes'), undefined);
  await workspace.setContext({ selected: 'CL-2' });
  await workspace.updateContext({ more: true });
  assert.deepEqual(await workspace.getContext(), { selected: 'CL-2', more: true });
});

test('saves, exports, restores, imports and deletes layouts', { skip: only === 'figures' }, async () => {
  const [workspace] = await workspaces.getAllWorkspaces();
  const saved = await workspaces.layouts.save({
    name: 'trading', workspaceId: workspace.id, saveContext: true, metadata: { description: 'd' },
  });
  assert.deepEqual(saved.components[0].state.context, { selected: 'CL-2', more: true });
  await workspace.saveLayout('again', { saveContext: false });
  const names = async () => (await workspaces.layouts.getSummaries()).map((layout) => layout.name);
  assert.deepEqual(await names(), ['trading', 'again']);
  const exported = await workspaces.layouts.export();
  assert.equal(exported.length, 2);
  const restored = await workspaces.restoreWorkspace('trading', { context: { selected: 'CL-3' }, title: 'Mine' });
  assert.equal(restored.title, 'Mine');
  assert.equal(restored.layoutName, 'trading');
  assert.deepEqual(await restored.getContext(), { selected: 'CL-3', more: true });
  assert.equal(restored.getAllWindows().length, workspace.getAllWindows().length);
  assert.notEqual(restored.id, workspace.id);
  await workspaces.layouts.delete('again');
  assert.deepEqual(await names(), ['trading']);
  await workspaces.layouts.import(exported, 'replace');
  assert.deepEqual(await names(), ['trading', 'again']);
  await assert.rejects(workspaces.restoreWorkspace('none'), /"none"; there are trading, again|none/);
});

test('sleeps, wakes and closes', { skip: only === 'figures' }, async () => {
  const all = await workspaces.getAllWorkspaces();
  assert.equal(all.length, 2);
  const workspace = all[0];
  const hibernated = collector();
  const resumed = collector();
  const closed = collector();
  await workspaces.onWorkspaceHibernated(hibernated.push);
  await workspaces.onWorkspaceResumed(resumed.push);
  await workspaces.onWorkspaceClosed(closed.push);
  await workspace.hibernate();
  assert.equal((await hibernated.next()).id, workspace.id);
  await workspace.refreshReference();
  assert.equal(workspace.isHibernated, true);
  await workspace.resume();
  assert.equal((await resumed.next()).id, workspace.id);
  await workspace.focus();
  for (const one of all) {
    await one.close();
    assert.equal((await closed.next()).workspaceId, one.id);
  }
  assert.deepEqual(await workspaces.getAllWorkspacesSummaries(), []);
  const builder = workspaces.getBuilder({ type: 'workspace', definition: { config: { title: 'Built' } } });
  builder.addRow().addWindow({ appName: 'clients' });
  const built = await builder.create();
  assert.equal(built.title, 'Built');
  const frame = await workspaces.createEmptyFrame({ frameConfig: { frameId: 'second' }, context: { a: 1 } });
  assert.equal(frame.id, 'second');
  await frame.init({ workspaces: [{ children: [{ type: 'window', appName: 'notes' }] }, { name: 'trading' }] }).catch(
    (error) => assert.match(String(error), /already been initialized/),
  );
  await frame.close();
  await assert.rejects(built.frame.minimize(), /not supported here/);
  await io.interop.invoke('T42.Workspaces.Control', { operation: 'ping' });
});

test('what a snapshot of a thousand windows and an edit cost', { skip: only !== 'figures' }, async () => {
  const group = (at) => ({
    type: 'group',
    children: Array.from({ length: 10 }, (_, tab) => ({ type: 'window', appName: `app-${at}-${tab}` })),
  });
  const columns = Array.from({ length: 10 }, (_, column) => ({
    type: 'column', children: Array.from({ length: 10 }, (_, row) => group(column * 10 + row)),
  }));
  const time = async (what, times, work) => {
    const began = performance.now();
    for (let at = 0; at < times; at += 1) await work(at);
    console.log(`${what}: ${((performance.now() - began) / times).toFixed(2)} ms`);
  };
  let workspace;
  await time('create 1000 windows', 1, async () => {
    workspace = await workspaces.createWorkspace({ children: [{ type: 'row', children: columns }] });
  });
  assert.equal(workspace.getAllWindows().length, 1000);
  const control = (operation, operationArguments) =>
    io.interop.invoke('T42.Workspaces.Control', { operation, operationArguments });
  await control('getWorkspaceSnapshot', { itemId: workspace.id });
  await time('snapshot of 1000 windows', 20, () => control('getWorkspaceSnapshot', { itemId: workspace.id }));
  const itemId = workspace.getAllWindows()[0].elementId;
  await time('edit among 1000 windows, committed', 20, (at) => control('setItemTitle', { itemId, title: `t${at}` }));
  const small = await workspaces.createWorkspace({ children: [{ type: 'window', appName: 'one' }] });
  const one = small.getAllWindows()[0].elementId;
  await time('edit of one window, committed', 50, (at) => control('setItemTitle', { itemId: one, title: `t${at}` }));
});
