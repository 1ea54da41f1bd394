// An MCP server over the bus in the original's shape: TypeScript SDK, express, one server per session,
// @interopio/core; every interop method with the flag `ioIntelMCPTool` is a tool.
//
//     node mcp.mjs --gateway ws://… [--api McpServer | Server]
//
// `McpServer` is what the original's factory makes; `Server` is the SDK's low-level class, its best case.
// Takes a free port and prints `mcp http://…/mcp` once it listens. Origin checks, CORS and the event store
// that the original can switch on stay off.

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import express from 'express';
import { announce } from './announce.mjs';
import { joinBus } from './bus.mjs';
import { highLevel } from './high-level.mjs';
import { lowLevel } from './low-level.mjs';

const { values } = parseArgs({
  options: { gateway: { type: 'string' }, api: { type: 'string', default: 'McpServer' } },
});
const newServer = { McpServer: highLevel, Server: lowLevel }[values.api];

const io = await joinBus(values.gateway, 'bench-mcp');
const sessions = new Map();

const app = express();
app.use(express.json({ limit: '4mb' }));

app.post('/mcp', async (request, response) => {
  const transport = sessions.get(request.headers['mcp-session-id']) ?? (await open(request.body));
  if (transport) await transport.handleRequest(request, response, request.body);
  else refuse(response);
});

const resume = async (request, response) => {
  const transport = sessions.get(request.headers['mcp-session-id']);
  if (transport) await transport.handleRequest(request, response);
  else refuse(response);
};
app.get('/mcp', resume);
app.delete('/mcp', resume);

async function open(body) {
  if (!isInitializeRequest(body)) return undefined;
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  transport.onclose = () => sessions.delete(transport.sessionId);
  await newServer(io.interop).connect(transport);
  return transport;
}

const refuse = (response) =>
  response.status(404).json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null });

// Node turns Nagle's algorithm off for every socket of an HTTP server.
const listener = app.listen(0, '127.0.0.1', () => announce('mcp', `http://127.0.0.1:${listener.address().port}/mcp`));
