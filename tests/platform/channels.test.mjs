// Channels as the desktop library joins, publishes to, adds and removes them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { startHost } from '../support/host.mjs';

test('applications on a channel share its data', async (t) => {
  const host = await startHost(t, { sources: [] });
  const [one, two] = await Promise.all(
    ['one', 'two'].map((name) => startDesktopApp(t, host.gateway, name, { channels: true })),
  );
  const colours = await one.run(async ({ io }) => (await io.channels.list()).map(({ name, meta }) => [name, meta.color]));
  assert.equal(colours.length, 6);
  for (const [, colour] of colours) assert.match(colour, /^#[0-9a-f]{6}$/);
  await two.run(async ({ io, emit }) => {
    io.channels.subscribe((data, context) => emit({ channel: context.name, data }));
    await io.channels.join('Red');
  });
  await one.run(async ({ io }) => {
    await io.channels.join('Red');
    await io.channels.publish({ ric: 'ASML.AS' });
  });
  await two.events.next('the data', ({ channel, data }) => channel === 'Red' && data.ric === 'ASML.AS');
  const left = await one.run(async ({ io }) => {
    await io.channels.publish({ ric: 'BMW.DE' }, 'Blue');
    await io.channels.leave();
    return { my: io.channels.my() ?? null, blue: (await io.channels.get('Blue')).data };
  });
  assert.deepEqual(left, { my: null, blue: { ric: 'BMW.DE' } });
});

test('channels are configured, added, restricted and removed', async (t) => {
  const channels = [{ name: 'Desk', meta: { color: 'teal', label: 'D' } }];
  const host = await startHost(t, { sources: [], channels });
  const app = await startDesktopApp(t, host.gateway, 'one', { channels: true });
  const seen = await app.run(async ({ io }) => {
    const first = await io.channels.all();
    await io.channels.add({ name: 'Night', meta: { color: 'black' }, data: {} });
    const second = await io.channels.all();
    const again = await io.channels.add({ name: 'Night', meta: { color: 'black' }, data: {} }).catch((error) => error.message);
    await io.channels.join('Desk');
    await io.channels.restrict({ name: 'Desk', read: true, write: false });
    const restrictions = await io.channels.getRestrictions();
    const refused = await io.channels.publish({ x: 1 }).then(() => 'published', (error) => error.message);
    await io.channels.remove('Night');
    return { first, second: second.sort(), again, restrictions, refused, third: await io.channels.all() };
  });
  assert.deepEqual(seen.first, ['Desk']);
  assert.deepEqual(seen.second, ['Desk', 'Night']);
  assert.match(seen.again, /already exists/);
  assert.equal(seen.restrictions.channels[0].write, false);
  assert.match(seen.refused, /permission/);
  assert.deepEqual(seen.third, ['Desk']);
});
