// One session's server by the SDK's `McpServer`, which takes zod schemas and checks both ways with them.

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { callTool, dynamicTools, SERVER_INFO, toolOf } from './dynamic-tools.mjs';

export function highLevel(interop) {
  const server = new McpServer(SERVER_INFO);
  const registered = new Map();

  const add = (tool) => {
    const { name, description } = tool;
    const schemas = zodOf(tool);
    const handle = server.registerTool(name, { description, ...schemas }, (args) => callTool(interop, tool, args));
    registered.set(tool.method, handle);
  };
  for (const tool of dynamicTools(interop)) add(tool);

  const unsubscribe = [
    interop.methodAdded((method) => {
      const tool = toolOf(method);
      if (tool && !registered.has(tool.method)) add(tool);
    }),
    interop.methodRemoved((method) => {
      registered.get(method.name)?.remove();
      registered.delete(method.name);
    }),
  ];
  server.server.onclose = () => unsubscribe.forEach((stop) => stop());
  return server;
}

const converted = new WeakMap();

function zodOf(tool) {
  let schemas = converted.get(tool);
  if (!schemas) {
    schemas = { inputSchema: z.fromJSONSchema(tool.inputSchema), outputSchema: z.fromJSONSchema(tool.outputSchema) };
    converted.set(tool, schemas);
  }
  return schemas;
}
