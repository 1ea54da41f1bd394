// Pages while no desk is open: in the browser of the system, where that is wanted.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { openDesk } from '../support/desk.mjs';
import { scratch, startDeskwire } from '../support/deskwire.mjs';

const page = (/** @type {string} */ name) => ({ name, type: 'window', details: { url: `http://localhost:4100/${name}?a=1&b=2` } });

/**
 * `deskwire up` where the system opens addresses by a script.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} script
 */
async function startDesk(t, script) {
  const data = scratch(t);
  const bin = join(data, 'bin');
  mkdirSync(bin);
  // Whichever of them is asked first.
  for (const name of ['xdg-open', 'gio', 'gnome-open', 'kde-open', 'wslview', 'open']) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  writeFileSync(join(data, 'apps.json'), JSON.stringify([page('one'), page('two')]));
  const config = { platform: { applications: ['apps.json'], systemBrowser: true } };
  return await startDeskwire(t, { data, config, env: { PATH: `${bin}:${process.env.PATH}` } });
}

const skip = process.platform === 'win32';

test('a page opens in the system browser while no desk is open, and in the desk when one is', { skip }, async (t) => {
  const desk = await startDesk(t, 'for last; do :; done; echo "$last" >> opened');
  const client = await startDesktopApp(t, desk.gateway, 'client', { appManager: 'full' });
  const seen = await client.run(async ({ io }) => {
    const instance = await io.appManager.application('one')?.start({ a: 1 });
    const listed = io.appManager.instances().map((one) => [one.application?.name, one.id]);
    await instance?.stop();
    return { id: instance?.id, listed, left: io.appManager.instances().length };
  });
  assert.deepEqual(seen.listed, [['one', seen.id]]);
  assert.equal(seen.left, 0);
  const opened = () => readFileSync(join(desk.data, 'opened'), 'utf8');
  assert.equal(opened(), 'http://localhost:4100/one?a=1&b=2\n');

  const shows = await openDesk(t, desk.gateway);
  await client.run(({ io }) => io.apps.instances.start({ name: 'two' }).then(() => {}));
  await shows.events.next('the window', (ticket) => ticket.application === 'two');
  assert.equal(opened(), 'http://localhost:4100/one?a=1&b=2\n');
});

test('a page that the system browser does not open is an error of the start', { skip }, async (t) => {
  const desk = await startDesk(t, 'exit 3');
  const client = await startDesktopApp(t, desk.gateway, 'client', { appManager: 'full' });
  const seen = await client.run(async ({ io }) => {
    const reason = await io.apps.instances.start({ name: 'one' }).then(() => 'started', (error) => error.message);
    return { reason, running: io.appManager.instances().length };
  });
  assert.match(seen.reason, /no desk is open.*browser/);
  assert.equal(seen.running, 0);
});
