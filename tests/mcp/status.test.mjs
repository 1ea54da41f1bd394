// How things stand, for pages that show it: in figures when asked, and as events when something moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDeskwire } from '../support/deskwire.mjs';
import { within } from '../support/events.mjs';
import { ask, stream } from '../support/http.mjs';
import { toolFrame } from '../support/tool.mjs';
import { joinWire } from '../support/wire.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

/**
 * Figures as they come.
 *
 * @param {TestContext} t
 * @param {string} url
 */
async function listen(t, url) {
  const { status, headers, lines, closed } = await stream(t, url, { headers: { accept: 'text/event-stream' } });
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/event-stream/);
  /** @param {string} what @param {(figures: any) => boolean} is */
  const until = async (what, is) => {
    const line = await lines.next(what, (line) => line.startsWith('data: ') && is(JSON.parse(line.slice(6))));
    return JSON.parse(line.slice(6));
  };
  return { until, closed };
}

test('figures move with what they count, and the revision with the diagnostics', async (t) => {
  const desk = await startDeskwire(t);
  const url = `${desk.base}/api/status?as=sampling`;
  const first = (await ask(url)).json();
  assert.match(first.version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(Object.keys(first).sort(), ['leftOut', 'peers', 'revision', 'tools', 'version']);
  const events = await listen(t, url);
  assert.deepEqual(await events.until('the first at once', () => true), first);

  const peer = await joinWire(t, desk.gateway, 'orders');
  const joined = await events.until('the peer counts', ({ peers }) => peers === first.peers + 1);
  assert.equal(joined.tools.visible, first.tools.visible);

  const before = (await ask(`${desk.base}/api/diagnostics?as=sampling`)).text;
  const method = toolFrame('1', { name: 'cancel_order', description: 'Cancels an order.' });
  await peer.request({ type: 'register', domain: 'agm', methods: [method] });
  const offered = await events.until('the tool counts', ({ tools }) => tools.visible === first.tools.visible + 1);
  assert.notEqual(offered.revision, first.revision);
  assert.notEqual((await ask(`${desk.base}/api/diagnostics?as=sampling`)).text, before);

  peer.socket.close();
  const left = await events.until('the tool is gone', ({ tools, peers }) => tools.visible === first.tools.visible && peers === first.peers);
  assert.equal((await ask(`${desk.base}/api/diagnostics?as=sampling`)).text, before);
  assert.equal(left.revision, first.revision, 'the same findings have the same revision');

  assert.equal((await ask(`${desk.base}/api/status?as=nonsense`)).status, 400);
});

test('listeners do not hold the process when it is told to stop', async (t) => {
  const desk = await startDeskwire(t);
  const events = await listen(t, `${desk.base}/api/status`);
  await events.until('the first', () => true);
  await desk.process.end('SIGTERM');
  await within('the stream ends', events.closed);
  assert.ok(!desk.process.stderr.all.some((line) => line.includes('cut off')), 'no request was cut off');
});

test('there is a bound of listeners', async (t) => {
  const desk = await startDeskwire(t);
  const url = `${desk.base}/api/status`;
  for (let count = 0; count < 64; count += 1) await listen(t, url);
  const one = await stream(t, url, { headers: { accept: 'text/event-stream' } });
  assert.equal(one.status, 503);
  assert.equal((await ask(url)).status, 200);
});
