// Clients that want too much: whatever one of them does, the server stays within bounds and serves the others.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import process from 'node:process';
import { describe, test } from 'node:test';
import { startDeskwire } from '../support/deskwire.mjs';
import { within } from '../support/events.mjs';
import { ask } from '../support/http.mjs';
import { ACCEPT, initialize, messageOf, openSession, post } from '../support/mcp-wire.mjs';
import { openWire } from '../support/wire.mjs';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {import('../support/deskwire.mjs').Deskwire} Deskwire */

const LIST = { id: 1, method: 'tools/list', params: {} };
const MIB = 1024 * 1024;

/** What the process has made for itself in memory, in bytes, without what it maps of files; only Linux tells. @param {Deskwire} desk */
function memory(desk) {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${desk.process.handle.pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Somebody else opens a session and is served. @param {Deskwire} desk */
async function serves(desk) {
  const session = await openSession(desk.mcp);
  const listed = await post(desk.mcp, LIST, session);
  assert.equal(listed.status, 200);
  assert.ok(Array.isArray(messageOf(listed.text).result.tools));
  return session;
}

/**
 * A connection that sends what it is given and reads only when told to.
 *
 * @param {TestContext} t
 * @param {Deskwire} desk
 */
async function rawConnection(t, desk) {
  const socket = net.connect(desk.port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => {}); // its end is what counts
  await within('a connection', new Promise((resolve) => socket.once('connect', resolve)));
  return socket;
}

describe('sessions', () => {
  test('opened by the thousand and abandoned give way to newer ones, and their memory with them', async (t) => {
    const desk = await startDeskwire(t);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
    t.after(() => agent.destroy());
    const headers = { ...ACCEPT, 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', ...initialize() });
    const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    /** @type {(text: string, session?: string) => Promise<string>} */
    const send = (text, session) =>
      new Promise((resolve, reject) => {
        const more = session === undefined ? headers : { ...headers, 'mcp-session-id': session };
        http
          .request(desk.mcp, { method: 'POST', agent, headers: more }, (response) => {
            response.resume();
            response.on('end', () => resolve(String(response.headers['mcp-session-id'] ?? '')));
          })
          .on('error', reject)
          .end(text);
      });
    /** Most are not even told that their client is ready. @param {number} count */
    const abandon = async (count) => {
      let left = count;
      const client = async () => {
        while (left-- > 0) {
          const session = await send(body);
          assert.notEqual(session, '');
          if (left % 4 === 0) await send(ready, session);
        }
      };
      await Promise.all(Array.from({ length: 32 }, client));
    };

    const first = await openSession(desk.mcp);
    await abandon(2_500);
    const early = memory(desk);
    await abandon(7_500);
    const grown = memory(desk) - early;

    assert.equal((await post(desk.mcp, LIST, first)).status, 404, 'the first session gave way');
    const newest = await serves(desk);
    assert.equal((await post(desk.mcp, LIST, newest)).status, 200);
    assert.ok(grown < 40 * MIB, `7 500 more sessions took ${Math.round(grown / MIB)} MiB more`);
  });
});

describe('one connection', () => {
  test('with thousands of requests that nobody reads the answers of holds up nobody else', async (t) => {
    const desk = await startDeskwire(t, { config: null });
    const requests = 2_000;
    const before = memory(desk);
    const socket = await rawConnection(t, desk);
    socket.pause();
    const message = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'flood', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    });
    const request = [
      'POST /mcp HTTP/1.1',
      `Host: 127.0.0.1:${desk.port}`,
      'Accept: application/json, text/event-stream',
      'Content-Type: application/json',
      'Mcp-Protocol-Version: 2026-07-28',
      'Mcp-Method: tools/list',
      `Content-Length: ${message.length}`,
      '',
      message,
    ].join('\r\n');
    for (let n = 0; n < requests; n++) socket.write(request);

    for (let n = 0; n < 20; n++) await serves(desk);
    const grown = memory(desk) - before;
    assert.ok(grown < 32 * MIB, `unread answers took ${Math.round(grown / MIB)} MiB`);

    let answers = 0;
    const all = new Promise((resolve) => {
      socket.on('data', (chunk) => {
        answers += chunk.toString('latin1').split('HTTP/1.1 200 OK').length - 1;
        // A status line cut in two is made up for by the one that is missing at most.
        if (answers >= requests * 0.99) resolve(undefined);
      });
      socket.once('close', resolve);
    });
    socket.resume();
    await within('every answer, or the end of the connection', all, 60_000);
    await serves(desk);
  });

  test('with a body of 100 MB is told so before it has sent it, and others are served meanwhile', async (t) => {
    const desk = await startDeskwire(t);
    const before = memory(desk);
    const size = 100 * 1000 * 1000;
    for (const declared of [true, false]) {
      const started = performance.now();
      /** @type {(status: number | undefined) => void} */
      let told = () => {};
      const refused = new Promise((/** @type {(status: number | undefined) => void} */ resolve) => (told = resolve));
      const request = http.request(desk.mcp, {
        method: 'POST',
        agent: false,
        headers: { ...ACCEPT, 'content-type': 'application/json', ...(declared && { 'content-length': size }) },
      });
      t.after(() => request.destroy());
      request.on('response', (response) => told(response.statusCode));
      request.on('error', () => told(undefined)); // closed while it was still sending
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const pour = () => {
        for (let sent = 0; sent < 16; sent++) if (!request.write(chunk)) return void request.once('drain', pour);
        setImmediate(pour);
      };
      pour();
      assert.equal(await within('a refusal', refused), 413);
      assert.ok(performance.now() - started < 3_000, 'refused at once');
      request.destroy();
      await serves(desk);
    }
    const grown = memory(desk) - before;
    assert.ok(grown < 32 * MIB, `a refused body took ${Math.round(grown / MIB)} MiB`);
  });
});

describe('half-open connections', () => {
  test('do not keep others out, and those that owe a body or a hello are closed', async (t) => {
    const desk = await startDeskwire(t);
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${desk.port}\r\nContent-Type: application/json\r\n`;
    const starts = ['', 'POST /mcp HT', head, `${head}Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{`];
    const sockets = await Promise.all(Array.from({ length: 200 }, () => rawConnection(t, desk)));
    for (const [n, socket] of sockets.entries()) {
      socket.resume();
      socket.write(starts[n % starts.length]);
    }
    const silent = await Promise.all(Array.from({ length: 20 }, () => openWire(t, desk.gateway)));

    for (let n = 0; n < 20; n++) await serves(desk);
    assert.equal((await ask(`${desk.base}/healthz`)).status, 200);
    const peer = await openWire(t, desk.gateway);
    assert.equal((await peer.hello('newcomer')).type, 'welcome');

    const owing = sockets.filter((_, n) => n % starts.length === starts.length - 1);
    const ends = owing.map((socket) => (socket.closed ? undefined : new Promise((resolve) => socket.once('close', resolve))));
    await within('the requests without a body to be closed', Promise.all(ends), 45_000);
    await within('the peers without a hello to be closed', Promise.all(silent.map(({ closed }) => closed)), 30_000);
    await serves(desk);
  });
});
