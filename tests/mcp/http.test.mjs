// The HTTP endpoint itself: sessions, streams that stay alive, and an end that leaves nobody hanging.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startDeskwire } from '../support/deskwire.mjs';
import { within } from '../support/events.mjs';
import { ask } from '../support/http.mjs';
import { ACCEPT, initialize, messageOf, openListenStream, openSession, openSessionStream, post } from '../support/mcp-wire.mjs';
import { joinWire } from '../support/wire.mjs';

const LIST = { id: 1, method: 'tools/list', params: {} };

describe('sessions', () => {
  test('are opened in every revision that has them', async (t) => {
    const desk = await startDeskwire(t);
    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const { result } = messageOf((await post(desk.mcp, initialize(revision))).text);
      assert.equal(result.protocolVersion, revision);
      assert.equal(result.capabilities.tools.listChanged, true);
    }
    const { result } = messageOf((await post(desk.mcp, initialize('2030-01-01'))).text);
    assert.equal(result.protocolVersion, '2025-11-25', 'an unknown revision is answered with the newest that has sessions');
  });

  test('an unknown session is 404 in JSON, a missing one 400', async (t) => {
    const desk = await startDeskwire(t);
    const unknown = await post(desk.mcp, LIST, 'nope');
    assert.equal(unknown.status, 404);
    assert.match(unknown.headers['content-type'] ?? '', /^application\/json/);
    assert.ok(unknown.json(), 'a body that parses');

    const missing = await post(desk.mcp, LIST);
    assert.equal(missing.status, 400);

    const stream = await ask(desk.mcp, { headers: { accept: 'text/event-stream', 'mcp-session-id': 'nope' } });
    assert.equal(stream.status, 404);
  });

  test('a deleted session is unknown', async (t) => {
    const desk = await startDeskwire(t);
    const session = await openSession(desk.mcp);
    assert.equal((await post(desk.mcp, LIST, session)).status, 200);
    const deleted = await ask(desk.mcp, { method: 'DELETE', headers: { ...ACCEPT, 'mcp-session-id': session } });
    assert.ok(deleted.status >= 200 && deleted.status < 300, `DELETE was answered with ${deleted.status}`);
    assert.equal((await post(desk.mcp, LIST, session)).status, 404);
  });

  test('sessions of a former life are unknown to the next', async (t) => {
    const desk = await startDeskwire(t);
    const session = await openSession(desk.mcp);
    await desk.process.end('SIGKILL');
    const next = await desk.restart();
    assert.equal((await post(next.mcp, LIST, session)).status, 404);
  });
});

describe('open streams', () => {
  test('carry a comment at least every 15 seconds', async (t) => {
    const desk = await startDeskwire(t);
    const session = await openSession(desk.mcp);
    const streams = await Promise.all([openSessionStream(t, desk.mcp, session), openListenStream(t, desk.mcp)]);
    await Promise.all(
      streams.map(async ({ status, headers, lines }) => {
        assert.equal(status, 200);
        assert.match(headers['content-type'] ?? '', /^text\/event-stream/);
        await lines.until('two comments', (all) => all.filter((line) => line.startsWith(':')).length >= 2, 33_000);
      }),
    );
  });

  test('end with the process, which leaves with 0 within 3 seconds of SIGTERM', async (t) => {
    const desk = await startDeskwire(t);
    const sessions = await Promise.all(Array.from({ length: 3 }, () => openSession(desk.mcp)));
    const streams = await Promise.all([
      ...sessions.map((session) => openSessionStream(t, desk.mcp, session)),
      openListenStream(t, desk.mcp),
      openListenStream(t, desk.mcp),
    ]);
    assert.deepEqual(streams.map(({ status }) => status), [200, 200, 200, 200, 200]);
    const peer = await joinWire(t, desk.gateway, 'witness');

    const told = performance.now();
    const exit = await desk.process.end('SIGTERM');
    const took = performance.now() - told;

    assert.deepEqual(exit, { code: 0, signal: null });
    assert.ok(took < 3_000, `it took ${Math.round(took)} ms`);
    await within('the streams to end', Promise.all(streams.map(({ closed }) => closed)));
    const { code, reason } = await within('the peer to be closed', peer.closed);
    assert.equal(code, 1001);
    assert.notEqual(reason, '');
  });

  test('end with the process when a call is under way', async (t) => {
    const desk = await startDeskwire(t);
    const silent = await joinWire(t, desk.gateway, 'silent');
    const tool = { name: 'ponder', inputSchema: '{"type":"object"}', outputSchema: '{"type":"object"}' };
    await silent.register([
      { id: '0', name: 'Ponder', description: 'Ponders', flags: { metadata: { ioIntelMCPTool: tool }, streaming: false } },
    ]);
    const session = await openSession(desk.mcp);
    const call = post(desk.mcp, { id: 2, method: 'tools/call', params: { name: 'ponder', arguments: {} } }, session);
    call.catch(() => {}); // however it ends, it ends
    await silent.frames.next('the call', ({ type }) => type === 'invoke');

    const exit = await desk.process.end('SIGTERM');
    assert.deepEqual(exit, { code: 0, signal: null });
    await within('the call to end', call.then(() => {}, () => {}));
  });
});
