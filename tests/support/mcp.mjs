// The ways a chat application comes in: two SDKs, two generations of the protocol, two transports, one face.

import process from 'node:process';
import * as modern from '@modelcontextprotocol/client';
import * as modernStdio from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { BINARY, binaryEnv } from './deskwire.mjs';
import { Log, within } from './events.mjs';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {import('./deskwire.mjs').Deskwire} Deskwire */
/** @typedef {{ name: string, description?: string, inputSchema: any, outputSchema?: any, _meta?: any }} Tool */
/** @typedef {{ isError?: boolean, structuredContent?: any, content: any[] }} Result */

/**
 * A connected client.
 *
 * @typedef {object} Mcp
 * @property {() => Promise<Tool[]>} tools
 * @property {(name: string, args?: Record<string, unknown>, signal?: AbortSignal) => Promise<Result>} call
 * @property {Log<string[]>} changes the names of the tools, listed anew upon each `list_changed`
 */

/**
 * What a client's model does with a question: its text, or the whole result; throwing refuses.
 *
 * @typedef {(params: any) => unknown} Model
 */

/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {(t: TestContext, desk: Deskwire, capabilities?: object, model?: Model) => Promise<Mcp>} connect
 */

const ME = { name: 'deskwire-tests', version: '1.0.0' };

/** @type {Kind[]} */
export const clients = [
  { name: 'SDK 1 (2025-11-25) over HTTP', connect: (t, desk, able, model) => connectLegacy(t, legacyHttp(desk), able, model) },
  { name: 'SDK 1 (2025-11-25) over stdio', connect: (t, desk, able, model) => connectLegacy(t, legacyStdio(desk), able, model) },
  {
    name: 'client 2 (2026-07-28) over HTTP',
    connect: (t, desk, able, model) =>
      connectModern(t, new modern.StreamableHTTPClientTransport(new URL(desk.mcp)), able, model),
  },
  {
    name: 'client 2 (2026-07-28) over stdio',
    connect: (t, desk, able, model) =>
      connectModern(t, new modernStdio.StdioClientTransport(stdioServer(desk)), able, model),
  },
];

/** @param {Deskwire} desk */
function stdioServer(desk) {
  return {
    command: BINARY,
    args: ['mcp', '--gateway', desk.gateway],
    cwd: desk.data,
    env: binaryEnv(),
    stderr: process.env.DESKWIRE_TEST_LOG === undefined ? /** @type {const} */ ('ignore') : /** @type {const} */ ('inherit'),
  };
}

/**
 * The stream of notifications opens behind the scenes of this SDK; `listening` tells when.
 *
 * @typedef {{ transport: LegacyHttp | LegacyStdio, listening: Promise<void> }} LegacyWay
 */

/**
 * @param {Deskwire} desk
 * @returns {LegacyWay}
 */
function legacyStdio(desk) {
  return { transport: new LegacyStdio(stdioServer(desk)), listening: Promise.resolve() };
}

/**
 * @param {Deskwire} desk
 * @returns {LegacyWay}
 */
function legacyHttp(desk) {
  /** @type {() => void} */
  let opened;
  const listening = new Promise((/** @type {(value: void) => void} */ resolve) => (opened = resolve));
  const transport = new LegacyHttp(new URL(desk.mcp), {
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method === 'GET' && response.ok) opened();
      return response;
    },
  });
  return { transport, listening };
}

/**
 * @param {TestContext} t
 * @param {LegacyWay} way
 * @param {object} [capabilities]
 * @param {Model} [model]
 * @returns {Promise<Mcp>}
 */
async function connectLegacy(t, { transport, listening }, capabilities = {}, model = undefined) {
  const client = new LegacyClient(ME, { capabilities });
  if (model !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => message(await model(params)));
  }
  const tools = async () => (await client.listTools()).tools;
  const { changes, onChange } = follow(tools);
  client.setNotificationHandler(ToolListChangedNotificationSchema, onChange);
  await within('the handshake', client.connect(transport));
  t.after(() => client.close());
  await within('the stream of notifications', listening);
  await tools(); // a stdio server joins the bus at the first request
  return {
    tools,
    changes,
    call: async (name, args = {}, signal) =>
      /** @type {Result} */ (await client.callTool({ name, arguments: args }, undefined, { signal })),
  };
}

/**
 * @param {TestContext} t
 * @param {import('@modelcontextprotocol/client').Transport} transport
 * @param {object} [capabilities]
 * @param {Model} [model]
 * @returns {Promise<Mcp>}
 */
async function connectModern(t, transport, capabilities = {}, model = undefined) {
  const client = new modern.Client(ME, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const tools = async () => (await client.listTools()).tools;
  const { changes, onChange } = follow(tools);
  client.setNotificationHandler('notifications/tools/list_changed', onChange);
  if (model !== undefined) {
    // This SDK takes `_meta` out of the parameters.
    client.setRequestHandler('sampling/createMessage', async (/** @type {any} */ { params }, /** @type {any} */ ctx) =>
      message(await model({ _meta: ctx.mcpReq._meta, ...params })),
    );
  }
  await within('the handshake', client.connect(transport));
  t.after(() => client.close());
  await tools(); // a stdio server joins the bus at the first request
  await within('the stream of notifications', client.listen({ toolsListChanged: true }));
  return {
    tools,
    changes,
    call: async (name, args = {}, signal) =>
      /** @type {Result} */ (await client.callTool({ name, arguments: args }, { signal })),
  };
}

/**
 * What a model wrote, as its client sends it.
 *
 * @param {unknown} written
 * @returns {any}
 */
function message(written) {
  if (typeof written !== 'string') return written;
  return { role: 'assistant', model: 'test', stopReason: 'endTurn', content: { type: 'text', text: written } };
}

/**
 * Lists the tools upon each notification, one at a time: a notification without a change shows
 * as two equal lists in a row.
 *
 * @param {() => Promise<Tool[]>} tools
 */
function follow(tools) {
  /** @type {Log<string[]>} */
  const changes = new Log();
  let last = Promise.resolve();
  const list = async () => void changes.push((await tools()).map(({ name }) => name));
  const onChange = () => {
    last = last.then(list).catch(() => {}); // the server or the client is on its way out
  };
  return { changes, onChange };
}

/**
 * What a model reads of a result.
 *
 * @param {Result} result
 */
export function textOf(result) {
  return result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}
