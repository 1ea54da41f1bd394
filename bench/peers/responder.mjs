// The application behind the tools, written with @interopio/core.
//
//     node responder.mjs --gateway ws://… [--tools N]
//
// Registers `echo`, or N tools in its place, and prints `responder  ready`.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { announce } from './announce.mjs';
import { joinBus } from './bus.mjs';

const { values } = parseArgs({ options: { gateway: { type: 'string' }, tools: { type: 'string' } } });
const { echo, many } = JSON.parse(readFileSync(new URL('../tools.json', import.meta.url), 'utf8'));

const numbered = (n) => {
  const digits = String(n).padStart(4, '0');
  const name = (text) => text.replace('#', digits);
  return { ...many, method: name(many.method), tool: name(many.tool), description: name(many.description) };
};

const definition = ({ method, description, tool, inputSchema, outputSchema }) => ({
  name: method,
  description,
  flags: {
    ioIntelMCPTool: {
      name: tool,
      inputSchema: JSON.stringify(inputSchema),
      outputSchema: JSON.stringify(outputSchema),
    },
  },
});

const io = await joinBus(values.gateway, 'bench-responder');
if (values.tools === undefined) {
  await io.interop.register(definition(echo), ({ text }) => ({ text }));
} else {
  const tools = Array.from({ length: Number(values.tools) }, (_, n) => definition(numbered(n)));
  await Promise.all(tools.map((tool) => io.interop.register(tool, () => ({ orderId: 'o-1', price: 1.5 }))));
}
announce('responder', 'ready');
