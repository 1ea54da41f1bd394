// One session's server by the SDK's `Server`: the list is an array it already holds, nothing is checked.

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { callTool, dynamicTools, SERVER_INFO } from './dynamic-tools.mjs';

let shared; // what the bus offers, until it changes

export function lowLevel(interop) {
  shared ??= track(interop);
  const server = new Server(SERVER_INFO, { capabilities: { tools: { listChanged: true } } });

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: shared.current().list }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = shared.current().byName.get(params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${params.name}`);
    return callTool(interop, tool, params.arguments);
  });

  const unsubscribe = shared.onChanged(() => server.sendToolListChanged().catch(() => {}));
  server.onclose = unsubscribe;
  return server;
}

function track(interop) {
  let snapshot;
  const listeners = new Set();
  const changed = () => {
    snapshot = undefined;
    listeners.forEach((listener) => listener());
  };
  interop.methodAdded(changed);
  interop.methodRemoved(changed);
  return {
    current() {
      snapshot ??= snapshotOf([...dynamicTools(interop)]);
      return snapshot;
    },
    onChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const snapshotOf = (tools) => ({
  list: tools.map(({ name, description, inputSchema, outputSchema }) => ({ name, description, inputSchema, outputSchema })),
  byName: new Map(tools.map((tool) => [tool.name, tool])),
});
