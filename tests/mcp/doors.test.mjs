// Who may knock: a web page of another site, or one behind a rebound name, gets nothing from a loopback server.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startDeskwire } from '../support/deskwire.mjs';
import { ask } from '../support/http.mjs';
import { ACCEPT, initialize, post } from '../support/mcp-wire.mjs';
import { openWire, Refused } from '../support/wire.mjs';

const INITIALIZE = { jsonrpc: '2.0', ...initialize() };

/** @type {{ path: string, method?: string, headers?: Record<string, string>, body?: object }[]} */
const ROUTES = [
  { path: '/' },
  { path: '/healthz' },
  { path: '/metrics' },
  { path: '/api/diagnostics' },
  { path: '/mcp', method: 'POST', headers: ACCEPT, body: INITIALIZE },
  { path: '/mcp', headers: { accept: 'text/event-stream', 'mcp-session-id': 'any' } },
  { path: '/mcp', method: 'DELETE', headers: { 'mcp-session-id': 'any' } },
  { path: '/mcp', method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } },
  { path: '/gw' },
  { path: '/no-such-route' },
];

/** @param {number} status */
const refusedWith = (status) => (/** @type {unknown} */ error) => error instanceof Refused && error.status === status;

describe('the Host header', () => {
  test('of another name is 403 on every route', async (t) => {
    const desk = await startDeskwire(t);
    for (const host of ['evil.example', `evil.example:${desk.port}`, `localhost.evil.example:${desk.port}`]) {
      for (const { path, method, headers, body } of ROUTES) {
        const { status } = await ask(desk.base + path, { method, headers: { ...headers, host }, body });
        assert.equal(status, 403, `${method ?? 'GET'} ${path} for ${host}`);
      }
      await assert.rejects(openWire(t, desk.gateway, { host }), refusedWith(403));
    }
  });

  test('of this machine is served', async (t) => {
    const desk = await startDeskwire(t);
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const host = `${name}:${desk.port}`;
      assert.equal((await ask(`${desk.base}/healthz`, { headers: { host } })).status, 200);
      const opened = await ask(desk.mcp, { method: 'POST', headers: { ...ACCEPT, host }, body: INITIALIZE });
      assert.equal(opened.status, 200);
      const peer = await openWire(t, desk.gateway, { host });
      assert.equal((await peer.hello('app')).type, 'welcome');
    }
  });
});

describe('the Origin header', () => {
  test('of another site is 403 on every route', async (t) => {
    const desk = await startDeskwire(t);
    const origins = ['https://evil.example', 'http://localhost:1', `https://localhost:${desk.port}`, 'null'];
    for (const origin of origins) {
      for (const { path, method, headers, body } of ROUTES) {
        const { status } = await ask(desk.base + path, { method, headers: { ...headers, origin }, body });
        assert.equal(status, 403, `${method ?? 'GET'} ${path} from ${origin}`);
      }
      await assert.rejects(openWire(t, desk.gateway, { origin }), refusedWith(403));
    }
  });

  test('of our own page, or none, is served', async (t) => {
    const desk = await startDeskwire(t);
    for (const origin of [`http://127.0.0.1:${desk.port}`, `http://localhost:${desk.port}`]) {
      assert.equal((await ask(`${desk.base}/healthz`, { headers: { origin } })).status, 200);
      const peer = await openWire(t, desk.gateway, { origin });
      assert.equal((await peer.hello('page')).type, 'welcome');
    }
    assert.equal((await post(desk.mcp, initialize())).status, 200);
  });

  test('of a listed site may do over MCP what a client in a page does, and no other site may', async (t) => {
    const origin = 'https://chat.example.com';
    const desk = await startDeskwire(t, { config: { listen: { allowedOrigins: [origin] } } });
    const listed = (/** @type {string | undefined} */ header) => (header ?? '').toLowerCase().split(/ *, */);
    const preflight = async (/** @type {string} */ from, /** @type {string} */ method) =>
      await ask(desk.mcp, {
        method: 'OPTIONS',
        headers: {
          origin: from,
          'access-control-request-method': method,
          'access-control-request-headers':
            'authorization,content-type,last-event-id,mcp-method,mcp-name,mcp-param-region,mcp-protocol-version,mcp-session-id,x-other',
        },
      });

    const { headers } = await ask(desk.mcp, { method: 'POST', headers: { ...ACCEPT, origin }, body: INITIALIZE });
    assert.ok(listed(headers['access-control-expose-headers']).includes('mcp-session-id'), 'the page reads its session');
    assert.match(String(headers.vary), /origin/i, 'a cache keeps the answers of origins apart');
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers } = await preflight(origin, method);
      assert.equal(status, 200);
      assert.ok(listed(headers['access-control-allow-methods']).includes(method.toLowerCase()), method);
      const allowed = listed(headers['access-control-allow-headers']);
      assert.deepEqual(allowed, [
        'authorization',
        'content-type',
        'last-event-id',
        'mcp-method',
        'mcp-name',
        'mcp-param-region',
        'mcp-protocol-version',
        'mcp-session-id',
      ]);
    }
    const other = await preflight('https://chat.example.com.evil.example', 'POST');
    assert.equal(other.status, 403);
    assert.equal(other.headers['access-control-allow-origin'], undefined);
  });

  test('of a listed site may read that its token is missing', async (t) => {
    const origin = 'https://chat.example.com';
    const desk = await startDeskwire(t, { config: { listen: { allowedOrigins: [origin], token: 'secret' } } });
    const refused = await ask(desk.mcp, { method: 'POST', headers: { ...ACCEPT, origin }, body: INITIALIZE });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers['access-control-allow-origin'], origin);
    const other = await ask(desk.mcp, {
      method: 'POST',
      headers: { ...ACCEPT, origin: 'https://evil.example' },
      body: INITIALIZE,
    });
    assert.equal(other.status, 403);
    assert.equal(other.headers['access-control-allow-origin'], undefined);
  });

  test('of a listed site is served over MCP with CORS, and on the bus only with a token', async (t) => {
    const origin = 'https://chat.example.com';
    const desk = await startDeskwire(t, { config: { listen: { allowedOrigins: [origin] } } });

    const opened = await ask(desk.mcp, { method: 'POST', headers: { ...ACCEPT, origin }, body: INITIALIZE });
    assert.equal(opened.status, 200);
    assert.equal(opened.headers['access-control-allow-origin'], origin);
    const preflight = await ask(desk.mcp, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-session-id,mcp-protocol-version',
      },
    });
    assert.ok(preflight.status >= 200 && preflight.status < 300, `preflight was answered with ${preflight.status}`);
    assert.equal(preflight.headers['access-control-allow-origin'], origin);

    const page = await openWire(t, desk.gateway, { origin });
    await assert.rejects(page.hello('page'), /authentication/);

    const local = await openWire(t, desk.gateway);
    await local.hello('local');
    const { token } = await local.request({ type: 'create-token', domain: 'global' });
    const admitted = await openWire(t, desk.gateway, { origin });
    const welcome = await admitted.request({
      type: 'hello',
      domain: 'global',
      identity: { application: 'page' },
      authentication: { method: 'gateway-token', token },
    });
    assert.equal(welcome.type, 'welcome');
  });

  test('of the demo is served its pages, and on the bus only with a token', async (t) => {
    const desk = await startDeskwire(t, { config: null });
    const host = `demo.localhost:${desk.port}`;
    const origin = `http://${host}`;
    for (const { path, method, headers, body } of ROUTES) {
      const { status } = await ask(desk.base + path, { method, headers: { ...headers, host }, body });
      assert.ok([404, 405].includes(status), `${method ?? 'GET'} ${path} on the demo's host: ${status}`);
    }
    await assert.rejects(openWire(t, desk.gateway, { host, origin }), refusedWith(404));
    for (const { path, method, headers, body } of ROUTES.filter(({ path }) => path !== '/gw')) {
      const { status } = await ask(desk.base + path, { method, headers: { ...headers, origin }, body });
      assert.equal(status, 403, `${method ?? 'GET'} ${path} from the demo`);
    }
    const page = await openWire(t, desk.gateway, { origin });
    await assert.rejects(page.hello('clients'), /authentication/);
  });
});
