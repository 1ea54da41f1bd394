// The desktop of `deskwire up`, as its commands show it.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { BINARY, binaryEnv, scratch, startDeskwire } from '../support/deskwire.mjs';
import { run as runProgram } from '../support/process.mjs';

/**
 * @param {import('node:test').TestContext} t
 * @param {import('../support/deskwire.mjs').Deskwire} desk
 * @param {string[]} args
 */
async function run(t, desk, args) {
  const env = { ...binaryEnv(), DESKWIRE_GATEWAY: desk.gateway, DESKWIRE_URL: desk.mcp };
  return await runProgram(t, BINARY, args, { cwd: scratch(t), env });
}

test('the demo desktop has applications and workspaces', async (t) => {
  const desk = await startDeskwire(t, { config: null });
  const apps = await run(t, desk, ['apps']);
  assert.equal(apps.code, 0, apps.err);
  for (const name of ['clients', 'portfolio', 'orders', 'notes']) assert.match(apps.out, new RegExp(`^${name} `, 'm'));
  const layouts = await run(t, desk, ['layouts']);
  assert.equal(layouts.code, 0, layouts.err);
  for (const name of ['client-review', 'trading']) assert.match(layouts.out, new RegExp(`^${name} `, 'm'));
});

test('a page is not started while no desk is open, and a name that is not there is told', async (t) => {
  const desk = await startDeskwire(t, { config: null });
  const page = await run(t, desk, ['start', 'clients']);
  assert.equal(page.code, 2);
  assert.match(page.err, /no desk is open/);
  const nobody = await run(t, desk, ['start', 'nobody']);
  assert.equal(nobody.code, 2);
  assert.match(nobody.err, /no application `nobody`[^]*deskwire apps/);
});

test('a program is started with its context, and ends with the desktop', async (t) => {
  const data = scratch(t);
  const noted = join(data, 'worker.pid');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(noted)}, String(process.pid)); setInterval(() => {}, 1000);`;
  writeFileSync(join(data, 'worker.js'), script);
  const definition = { name: 'worker', type: 'exe', details: { command: 'node', parameters: `"${join(data, 'worker.js')}"` } };
  writeFileSync(join(data, 'apps.json'), JSON.stringify([definition]));
  const desk = await startDeskwire(t, { data, config: { platform: { applications: ['apps.json'] } } });
  const started = await run(t, desk, ['start', 'worker', '--no-wait']);
  assert.equal(started.code, 0, started.err);
  assert.match(started.out, /^worker runs as \S+\.$/m);
  const pid = Number(readFileSync(noted, 'utf8'));
  process.kill(pid, 0); // it is there
  await desk.process.end('SIGTERM');
  assert.throws(() => process.kill(pid, 0), /ESRCH/);
});

test('doctor names every application that search leaves out', async (t) => {
  const data = scratch(t);
  const app = (/** @type {string} */ name, /** @type {object} */ more = {}) => ({
    name,
    type: 'window',
    details: { url: 'http://localhost:4100/' },
    ...more,
  });
  const apps = [app('one', { caption: 'Shows one thing' }), app('two', { title: 'Two' }), app('three')];
  writeFileSync(join(data, 'apps.json'), JSON.stringify(apps));
  const desk = await startDeskwire(t, { data, config: { platform: { applications: ['apps.json'] } } });
  const doctor = await run(t, desk, ['doctor']);
  const excluded = doctor.out.split('\n').filter((line) => line.includes('excluded: no caption'));
  assert.equal(excluded.length, 2, doctor.out);
  assert.match(doctor.out, /application three[^]*application two/);
  assert.doesNotMatch(doctor.out, /application one/);
});
