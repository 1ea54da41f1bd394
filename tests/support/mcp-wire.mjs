// MCP over HTTP by hand, for what the SDKs hide.

import { ask, stream } from './http.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

/** What a client of the Streamable HTTP transport accepts. */
export const ACCEPT = { accept: 'application/json, text/event-stream' };

/**
 * One JSON-RPC message in a session, or the one that opens it.
 *
 * @param {string} url
 * @param {object} message
 * @param {string} [session]
 */
export async function post(url, message, session) {
  return await ask(url, {
    method: 'POST',
    headers: { ...ACCEPT, ...(session !== undefined && { 'mcp-session-id': session }) },
    body: { jsonrpc: '2.0', ...message },
  });
}

/**
 * The request that opens a session.
 *
 * @param {string} [protocolVersion]
 */
export function initialize(protocolVersion = '2025-11-25') {
  return {
    id: 0,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } },
  };
}

/**
 * Opens a session and returns its id.
 *
 * @param {string} url
 * @returns {Promise<string>}
 */
export async function openSession(url) {
  const opened = await post(url, initialize());
  const session = String(opened.headers['mcp-session-id']);
  await post(url, { method: 'notifications/initialized' }, session);
  return session;
}

/**
 * Opens the stream of notifications of a session.
 *
 * @param {TestContext} t
 * @param {string} url
 * @param {string} session
 */
export async function openSessionStream(t, url, session) {
  return await stream(t, url, { headers: { accept: 'text/event-stream', 'mcp-session-id': session } });
}

/**
 * The one JSON-RPC message of an answer, be it plain JSON or a stream.
 *
 * @param {string} text
 */
export function messageOf(text) {
  const data = text.split('\n').filter((line) => line.startsWith('data:') && line.length > 6);
  return JSON.parse(data.length > 0 ? data[data.length - 1].slice(5) : text);
}

const MODERN = '2026-07-28';

/**
 * A request of protocol 2026-07-28, which knows no sessions: each says for itself who asks.
 *
 * @param {string} id
 * @param {string} method
 * @param {object} [params]
 */
export function single(id, method, params = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { id, method, params: { ...params, _meta } };
}

/** The request that asks to be told of changes. */
export const listen = single('listen', 'subscriptions/listen', { notifications: { toolsListChanged: true } });

/**
 * Opens the stream on which changes are told.
 *
 * @param {TestContext} t
 * @param {string} url
 */
export async function openListenStream(t, url) {
  return await stream(t, url, {
    method: 'POST',
    headers: { ...ACCEPT, 'mcp-protocol-version': MODERN, 'mcp-method': listen.method },
    body: { jsonrpc: '2.0', ...listen },
  });
}
