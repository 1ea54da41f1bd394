// Definitions as the desktop library sees them, from files and registered at run time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { startHost, windowApp } from '../support/host.mjs';

const chart = windowApp('chart', {
  title: 'Chart',
  caption: 'Shows prices',
  customProperties: { includeInWorkspaces: true },
  intents: [{ name: 'ViewChart', displayName: 'View chart', contexts: ['Instrument'] }],
});

test('applications are listed with their definitions', async (t) => {
  const host = await startHost(t, { sources: ['apps.json'] }, { 'apps.json': [chart, windowApp('news')] });
  const app = await startDesktopApp(t, host.gateway, 'client', { appManager: 'full' });
  const seen = await app.run(async ({ io }) => {
    const one = io.appManager.application('chart');
    return {
      names: io.appManager.applications().map((app) => app.name),
      chart: { title: one?.title, caption: one?.caption, properties: one?.userProperties },
      definition: await one?.getConfiguration(),
      all: (await io.appManager.getConfigurations()).length,
      registry: await io.apps.registry.get({ name: 'chart', includeDefinition: true }),
      windows: (await io.apps.registry.getMany({ types: ['window'], names: ['news'] })).map((app) => app.name),
      has: [await io.apps.registry.has('chart'), await io.apps.registry.has('nobody')],
    };
  });
  assert.deepEqual(seen.names, ['chart', 'news']);
  assert.deepEqual(seen.chart, {
    title: 'Chart',
    caption: 'Shows prices',
    properties: { includeInWorkspaces: true },
  });
  assert.deepEqual(seen.definition, chart);
  assert.equal(seen.all, 2);
  assert.deepEqual(seen.registry?.definition, chart);
  assert.deepEqual(seen.windows, ['news']);
  assert.deepEqual(seen.has, [true, false]);
});

test('intents of definitions are found, whatever else is defined', async (t) => {
  const odd = windowApp('odd', { intents: [{ contexts: 7 }, 'nonsense', { name: 'ViewChart', contexts: 'X' }] });
  const host = await startHost(t, { sources: ['apps.json'] }, { 'apps.json': [odd, chart] });
  const app = await startDesktopApp(t, host.gateway, 'client');
  const found = await app.run(async ({ io }) => {
    const intents = await io.intents.find({ name: 'ViewChart', contextType: 'Instrument' });
    return intents.flatMap((intent) => intent.handlers.map((handler) => handler.applicationName));
  });
  assert.ok(found.includes('chart'), `${found}`);
});

test('a change in a file reaches clients', async (t) => {
  const host = await startHost(t, { sources: ['apps.json'] }, { 'apps.json': [chart, windowApp('news')] });
  const app = await startDesktopApp(t, host.gateway, 'client', { appManager: 'full' });
  await app.run(async ({ io, emit }) => {
    io.appManager.onAppAdded((one) => emit(`added ${one.name}`));
    io.appManager.onAppChanged((one) => emit(`changed ${one.name} ${one.title}`));
    io.appManager.onAppRemoved((one) => emit(`removed ${one.name}`));
    await io.apps.registry.onAdded(({ app }) => emit(`registry added ${app.name}`));
    await io.apps.registry.onRemoved(({ appName }) => emit(`registry removed ${appName}`));
  });
  host.write('apps.json', [{ ...chart, title: 'Charts' }, windowApp('orders')]);
  for (const event of [
    'added orders',
    'changed chart Charts',
    'removed news',
    'registry added orders',
    'registry removed news',
  ]) {
    await app.events.until(event, (all) => all.includes(event));
  }
  host.write('apps.json', '[{"name": "chart", "type": "win');
  host.write('apps.json', [{ ...chart, title: 'Charts' }, windowApp('orders'), windowApp('last')]);
  await app.events.until('the next change', (all) => all.includes('added last'));
  assert.ok(!app.events.all.includes('removed chart'), 'a half-written file takes nothing away');
});

test('without a store no application is registered at run time', async (t) => {
  const host = await startHost(t, { sources: [] });
  const app = await startDesktopApp(t, host.gateway, 'client');
  const imported = await app.run(({ io }, one) => io.appManager.inMemory.import([one]), /** @type {any} */ (chart));
  assert.deepEqual(imported.imported, []);
  assert.equal(imported.errors[0].app, 'chart');
  assert.match(imported.errors[0].error, /appStores/);
});

test('applications are registered, exported, removed and cleared at run time', async (t) => {
  const host = await startHost(t, { sources: [], allowedApps: ['mcp-app.*'] });
  const app = await startDesktopApp(t, host.gateway, 'client', { appManager: 'full' });
  const definitions = [windowApp('mcp-app.a'), windowApp('mcp-app.b'), windowApp('other')];
  const imported = await app.run(async ({ io, emit }, all) => {
    io.appManager.onAppAdded((one) => emit(one.name));
    return await io.appManager.inMemory.import(all, 'merge');
  }, /** @type {any} */ (definitions));
  assert.deepEqual(imported.imported, ['mcp-app.a', 'mcp-app.b']);
  assert.deepEqual(imported.errors.map((one) => one.app), ['other']);
  await app.events.until('both', (all) => all.includes('mcp-app.a') && all.includes('mcp-app.b'));
  const seen = await app.run(async ({ io }) => {
    const exported = await io.appManager.inMemory.export();
    const has = await io.apps.registry.inMemory.has('mcp-app.a');
    await io.appManager.inMemory.remove('mcp-app.a');
    const left = (await io.appManager.inMemory.export()).map((one) => one.name);
    await io.apps.registry.inMemory.import([/** @type {any} */ (exported[0])], 'merge');
    const again = (await io.apps.registry.getMany({ isInMemory: true })).map((one) => one.name);
    await io.apps.registry.inMemory.remove({ name: ['mcp-app.b'] });
    await io.appManager.inMemory.clear();
    return { exported, has, left, again, end: await io.appManager.inMemory.export() };
  });
  assert.deepEqual(seen.exported, definitions.slice(0, 2));
  assert.equal(seen.has, true);
  assert.deepEqual(seen.left, ['mcp-app.b']);
  assert.deepEqual(seen.again, ['mcp-app.b', 'mcp-app.a']);
  assert.deepEqual(seen.end, []);
});
