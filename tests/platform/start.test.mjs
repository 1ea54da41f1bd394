// The desktop library starts against the platform, unmodified and without waiting for anything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { startHost, windowApp } from '../support/host.mjs';

for (const [name, config] of Object.entries({
  'with its defaults': {},
  'with channels': { channels: true },
  'with everything': { channels: true, appManager: 'full', layouts: 'fullWaitSnapshot', apps: true },
})) {
  test(`the desktop library starts ${name}`, async (t) => {
    const host = await startHost(t, { sources: ['apps.json'] }, { 'apps.json': [windowApp('one')] });
    const app = await startDesktopApp(t, host.gateway, 'client', /** @type {any} */ (config));
    const seen = await app.run(({ io }) => ({
      applications: io.appManager.applications().map((one) => one.name),
      id: io.apps.my.instance.id,
      instance: io.interop.instance.instance,
      name: io.apps.my.appName,
    }));
    assert.deepEqual(seen.applications, ['one']);
    assert.equal(seen.id, seen.instance);
    assert.equal(seen.name, 'client');
  });
}

test('what the desktop does not have is said at once', async (t) => {
  const host = await startHost(t, { sources: [] });
  const app = await startDesktopApp(t, host.gateway, 'client');
  const answers = await app.run(async ({ io }) => {
    const said = async (/** @type {() => Promise<any>} */ ask) => {
      try {
        return await ask();
      } catch (error) {
        return `refused: ${error && typeof error === 'object' && 'message' in error ? error.message : error}`;
      }
    };
    return {
      displays: await said(() => io.displays.all()),
      screenshot: await said(() => io.displays.captureAll({ combined: true })),
      hotkey: await said(() => io.hotkeys.register('alt+c', () => {})),
      notifications: await said(() => io.notifications.list()),
      cookies: await said(() => io.cookies.get()),
      shutdown: await said(() => io.platform.shutdown()),
      user: await said(async () => (await io.appManager.currentUser())?.LoginName),
      allowed: await said(async () => await io.appManager.canI('anything')),
      start: await said(() => io.apps.instances.start({ name: 'nobody' })),
    };
  });
  assert.deepEqual(answers.displays, []);
  assert.match(answers.screenshot, /^refused: .*no displays/);
  assert.match(answers.hotkey, /^refused: .*no global hotkeys/);
  assert.deepEqual(answers.notifications, []);
  assert.match(answers.cookies, /^refused: .*cookies/);
  assert.match(answers.shutdown, /^refused: .*where it was started/);
  assert.equal(answers.user, 'person');
  assert.equal(answers.allowed, true);
  assert.match(answers.start, /^refused: Application 'nobody' not found/);
});

test('the theme is chosen, told and kept', async (t) => {
  const host = await startHost(t, { sources: [] });
  const app = await startDesktopApp(t, host.gateway, 'client');
  const { before, all } = await app.run(async ({ io, emit }) => {
    const before = await io.themes?.getCurrent();
    io.themes?.onChanged((theme) => emit(theme.name));
    return { before: before?.name, all: (await io.themes?.list())?.map((theme) => theme.name) };
  });
  assert.deepEqual(all, ['light', 'dark']);
  assert.equal(before, 'light');
  await app.run(({ io }) => io.themes?.select('dark'));
  await app.events.next('the news', (name) => name === 'dark');
  assert.equal(await app.run(async ({ io }) => (await io.themes?.getCurrent())?.name), 'dark');
});
