// Preferences as the desktop library keeps and follows them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { startHost } from '../support/host.mjs';

test('preferences are replaced, merged, followed by others and cleared', async (t) => {
  const host = await startHost(t, { sources: [] });
  const app = await startDesktopApp(t, host.gateway, 'client');
  const other = await startDesktopApp(t, host.gateway, 'other');
  await other.run(({ io, emit }) => {
    io.prefs.subscribeFor('client', (prefs) => emit(prefs.data));
  });
  assert.deepEqual(await other.events.next('what there is'), {});
  const seen = await app.run(async ({ io }) => {
    await io.prefs.set({ colour: 'red', size: 1 });
    await io.prefs.update({ size: 2 });
    const own = await io.prefs.get();
    await io.prefs.setFor('third', { x: true });
    return { own, dated: own?.lastUpdate instanceof Date, all: (await io.prefs.getAll()).all.map((one) => one.app) };
  });
  assert.deepEqual(seen.own?.data, { colour: 'red', size: 2 });
  assert.ok(seen.dated);
  assert.deepEqual(seen.all.sort(), ['client', 'third']);
  await other.events.until('the last state', (all) => all.some((data) => data.colour === 'red' && data.size === 2));
  await app.run(({ io }) => io.prefs.clear());
  await other.events.next('the end of it', (data) => Object.keys(data).length === 0);
  const left = await app.run(async ({ io }) => {
    await io.prefs.clearAll();
    return (await io.prefs.getAll()).all;
  });
  assert.deepEqual(left, []);
});
