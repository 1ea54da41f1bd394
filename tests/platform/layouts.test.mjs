// Layouts as the desktop library saves, lists, carries and forgets them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { startHost } from '../support/host.mjs';
import { nodeApp, program, withScripts } from '../support/programs.mjs';

const ofFile = { name: 'Of a file', type: 'Global', components: [], metadata: { from: 'file' } };

test('layouts are saved, listed, renamed, exported, imported and removed', async (t) => {
  const host = await startHost(t, { sources: ['layouts.json'] }, { 'layouts.json': [ofFile] });
  const config = /** @type {any} */ ({ layouts: 'fullWaitSnapshot' });
  const app = await startDesktopApp(t, host.gateway, 'client', config);
  const other = await startDesktopApp(t, host.gateway, 'other', config);
  await other.run(({ io, emit }) => {
    io.layouts.onAdded((one) => emit(`added ${one.name}`));
    io.layouts.onRenamed((one, old) => emit(`renamed ${old.name} to ${one.name}`));
    io.layouts.onRemoved((one) => emit(`removed ${one.name}`));
    io.layouts.onChanged((one) => emit(`changed ${one.name}`));
  });
  const seen = await app.run(async ({ io }) => {
    const names = async () => (await io.layouts.getAll('Global')).map((one) => one.name).sort();
    const first = await names();
    await io.layouts.save({ name: 'Mine', type: 'Global', metadata: { a: 1 }, context: { b: 2 } });
    const saved = /** @type {import('@interopio/desktop').IOConnectDesktop.Layouts.Layout} */ (
      await io.layouts.get('Mine', 'Global')
    );
    const current = await io.layouts.getCurrentLayout();
    await io.layouts.rename(saved, 'Ours');
    const renamed = await names();
    const exported = await io.layouts.export('Global');
    await io.layouts.import([{ .../** @type {any} */ (saved), name: 'Theirs' }], 'merge');
    const merged = await names();
    await io.layouts.updateMetadata(/** @type {any} */ ({ name: 'Ours', type: 'Global', metadata: { a: 2 } }));
    await io.layouts.remove('Global', 'Ours');
    const removed = await names();
    await io.layouts.import([/** @type {any} */ (saved)], 'replace');
    const replaced = await names();
    const readOnly = await io.layouts.remove('Global', 'Of a file').catch((error) => String(error.message));
    return { first, saved, current, renamed, exported, merged, removed, replaced, readOnly };
  });
  assert.deepEqual(seen.first, ['Of a file']);
  assert.deepEqual(
    { metadata: seen.saved.metadata, context: seen.saved.context, components: seen.saved.components },
    { metadata: { a: 1 }, context: { b: 2 }, components: [] },
  );
  assert.equal(seen.current?.name, 'Mine');
  assert.deepEqual(seen.renamed, ['Of a file', 'Ours']);
  assert.deepEqual(seen.exported.map((one) => one.name).sort(), ['Of a file', 'Ours']);
  assert.deepEqual(seen.merged, ['Of a file', 'Ours', 'Theirs']);
  assert.deepEqual(seen.removed, ['Of a file', 'Theirs']);
  assert.deepEqual(seen.replaced, ['Mine', 'Of a file']);
  assert.match(String(seen.readOnly), /layouts\.json/);
  for (const event of [
    'added Of a file',
    'added Mine',
    'renamed Mine to Ours',
    'added Theirs',
    'changed Ours',
    'removed Ours',
    'removed Theirs',
  ]) {
    await other.events.until(event, (all) => all.includes(event));
  }
  host.write('layouts.json', [{ ...ofFile, name: 'Another' }]);
  await other.events.until('the change in the file', (all) => all.includes('added Another'));
});

test('the default layout is chosen and let go', async (t) => {
  const host = await startHost(t, { sources: ['layouts.json'] }, { 'layouts.json': [ofFile] });
  const app = await startDesktopApp(t, host.gateway, 'client', /** @type {any} */ ({ layouts: 'fullWaitSnapshot' }));
  const seen = await app.run(async ({ io }) => {
    const before = await io.layouts.getDefaultGlobal();
    await io.layouts.setDefaultGlobal('Of a file');
    const chosen = await io.layouts.getDefaultGlobal();
    await io.layouts.clearDefaultGlobal();
    return { before, chosen: chosen?.name, after: await io.layouts.getDefaultGlobal() };
  });
  assert.deepEqual(seen, { before: undefined, chosen: 'Of a file', after: undefined });
});

test('what runs is saved with the contexts it gives, ended, and started again', async (t) => {
  const files = withScripts([nodeApp('saver'), nodeApp('plain')], {
    // The desktop library answers for its window's context; a plain client is saved with what it was started with.
    saver: program('@interopio/core', {}, async (io) => {
      await io.interop.register('T42.HC.GetSaveContext', () => ({ windowContext: { kept: 'by saver' } }));
      await io.interop.register('Who.Saver', () => ({ instance: io.interop.instance.instance }));
    }),
    plain: program('@interopio/core', {}, async (io) => {
      await io.interop.register('Who.Plain', () => ({ instance: io.interop.instance.instance }));
    }),
  });
  const host = await startHost(t, { sources: ['apps.json'] }, files);
  const config = /** @type {any} */ ({ layouts: 'fullWaitSnapshot', appManager: 'full' });
  const client = await startDesktopApp(t, host.gateway, 'client', config);
  const seen = await client.run(async ({ io }) => {
    const contexts = async () => {
      const all = await Promise.all(
        io.appManager.instances().map(async (one) => [one.application?.name, one.id, await one.getContext()]),
      );
      return all.sort((one, other) => String(one[0]).localeCompare(String(other[0])));
    };
    const on = async (/** @type {string} */ name) =>
      (await io.interop.invoke(name, {}, 'best', { waitTimeoutMs: 30_000 })).returned.instance;
    await io.appManager.application('saver')?.start({ started: 'saver' });
    await io.appManager.application('plain')?.start({ started: 'plain' });
    await Promise.all([on('Who.Saver'), on('Who.Plain')]);
    const before = await contexts();
    await io.layouts.save({ name: 'Both', type: 'Global' });
    const saved = await io.layouts.get('Both', 'Global');
    await Promise.all(io.appManager.instances().map((one) => one.stop()));
    const between = await contexts();
    await io.layouts.restore({ name: 'Both', type: 'Global', context: { of: 'restore' } });
    await Promise.all([on('Who.Saver'), on('Who.Plain')]);
    return { before, saved, between, after: await contexts(), current: (await io.layouts.getCurrentLayout())?.name };
  });
  const names = (/** @type {any[]} */ all) => all.map(([name, , context]) => [name, context]);
  assert.deepEqual(names(seen.before), [['plain', { started: 'plain' }], ['saver', { started: 'saver' }]]);
  const saved = /** @type {any} */ (seen.saved).components.map((/** @type {any} */ one) => [one.application, one.state.context]);
  assert.deepEqual(saved.sort(), [['plain', { started: 'plain' }], ['saver', { kept: 'by saver' }]]);
  assert.deepEqual(seen.between, []);
  assert.deepEqual(names(seen.after), [
    ['plain', { started: 'plain', of: 'restore' }],
    ['saver', { kept: 'by saver', of: 'restore' }],
  ]);
  assert.equal(seen.current, 'Both');
});
