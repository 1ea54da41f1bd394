// Applications that the platform starts, seen by the unmodified client libraries on both sides.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { startHost } from '../support/host.mjs';
import { nodeApp, program, withScripts } from '../support/programs.mjs';

/** A script for Node that answers who it is. */
const script = (/** @type {string} */ library, /** @type {object} */ config) =>
  program(library, config, async (io) => {
    await io.interop.register(`Who.${io.interop.instance.application}`, async () => ({
      instance: io.interop.instance.instance,
      application: io.interop.instance.application,
      mine: io.appManager?.myInstance?.id,
      context: await io.appManager?.myInstance?.getContext(),
      variables: Object.keys(process.env).filter((name) => name.startsWith('DESKWIRE')),
    }));
    process.on('SIGTERM', () => {
      require('node:fs').writeFileSync('bye', '');
      process.exit(0);
    });
  });

const files = withScripts(
  [nodeApp('desktop'), nodeApp('core'), nodeApp('broken'), nodeApp('first', { autoStart: true })],
  {
    desktop: script('@interopio/desktop', { appManager: 'full' }),
    core: script('@interopio/core', {}),
    first: script('@interopio/core', {}),
    broken: 'throw new Error("no licence");',
  },
);

for (const mode of /** @type {const} */ (['full', 'startOnly'])) {
  test(`a client in mode ${mode} starts, asks and stops applications`, async (t) => {
    const host = await startHost(t, { sources: ['apps.json'] }, files);
    const client = await startDesktopApp(t, host.gateway, 'client', { appManager: mode });
    const seen = await client.run(async ({ io }) => {
      const told = /** @type {string[]} */ ([]);
      io.appManager.onInstanceStarted((one) => void told.push(`started ${one.application?.name}`));
      io.appManager.onInstanceStopped((one) => void told.push(`stopped ${one.application?.name}`));
      const answers = [];
      for (const name of ['desktop', 'core']) {
        const instance = await io.appManager.application(name)?.start({ for: name });
        const { returned } = await io.interop.invoke(`Who.${name}`, {}, 'best', { waitTimeoutMs: 60_000 });
        answers.push({ id: instance?.id, ...returned });
        await instance?.stop();
      }
      return { told, answers };
    });
    const [desktop, core] = seen.answers;
    assert.equal(desktop.instance, desktop.id);
    assert.equal(desktop.mine, desktop.id);
    assert.deepEqual(desktop.context, { for: 'desktop' });
    assert.equal(core.instance, core.id);
    assert.deepEqual([desktop.variables, core.variables], [[], []]);
    if (mode === 'full') {
      const own = seen.told.filter((line) => !line.endsWith(' first'));
      assert.deepEqual(own, ['started desktop', 'stopped desktop', 'started core', 'stopped core']);
    }
    assert.ok(existsSync(join(host.folder, 'bye')), 'they were asked to end');
  });
}

test('a start that fails is told by its reason', async (t) => {
  const host = await startHost(t, { sources: ['apps.json'] }, files);
  const client = await startDesktopApp(t, host.gateway, 'client', { appManager: 'full' });
  const reason = await client.run(async ({ io }) => {
    try {
      await io.appManager.application('broken')?.start();
      return 'it was started';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  });
  assert.match(reason, /`broken` ended before it was at work: it exited with code 1.*Error: no licence/);
});

test('the new applications API starts, finds and stops instances', async (t) => {
  const host = await startHost(t, { sources: ['apps.json'] }, files);
  const client = await startDesktopApp(t, host.gateway, 'client');
  const seen = await client.run(async ({ io }) => {
    const instance = await io.apps.instances.start({ name: 'core', context: { a: 1 } });
    const context = await io.apps.instances.getContext({ id: instance.id });
    const all = await io.apps.instances.getMany();
    await io.apps.instances.stop({ id: instance.id });
    const after = await io.apps.instances.getMany();
    const names = (/** @type {any[]} */ list) => list.map((one) => one.appName).sort();
    return { context, all: names(all), after: names(after) };
  });
  assert.deepEqual(seen, { context: { a: 1 }, all: ['core', 'first'], after: ['first'] });
});

test('applications end when the platform is killed', { skip: process.platform === 'win32' }, async (t) => {
  const host = await startHost(t, { sources: ['apps.json'] }, { ...files, 'first.js': `
    require('node:fs').writeFileSync('pids', process.pid + ' ' + process.ppid);
    ${files['first.js']}
  ` });
  const pids = readFileSync(join(host.folder, 'pids'), 'utf8');
  const [pid, platform] = /** @type {[number, number]} */ (pids.split(' ').map(Number));
  assert.equal(process.kill(pid, 0), true);
  process.kill(platform, 'SIGKILL');
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    assert.ok(Date.now() < deadline, `process ${pid} has outlived the platform`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});
