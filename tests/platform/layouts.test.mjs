// Layouts as the desktop library saves, lists, carries and forgets them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { startHost } from '../support/host.mjs';

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
