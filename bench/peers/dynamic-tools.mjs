// The methods on the bus that are tools, and how one is called.

export const SERVER_INFO = { name: 'bench-peer', version: '1.0.0' };

/** Every method that asks to be a tool, schemas parsed, in the order of announcement. */
export function* dynamicTools(interop) {
  for (const method of interop.methods()) {
    const tool = toolOf(method);
    if (tool) yield tool;
  }
}

const parsed = new Map(); // by the method's text, so that a second session parses nothing again

export function toolOf(method) {
  const flag = method.flags?.ioIntelMCPTool;
  if (!flag) return undefined;
  const key = `${method.name}\n${flag.inputSchema}\n${flag.outputSchema}`;
  let tool = parsed.get(key);
  if (!tool) {
    tool = {
      method: method.name,
      name: flag.name,
      description: method.description,
      inputSchema: JSON.parse(flag.inputSchema),
      outputSchema: JSON.parse(flag.outputSchema),
    };
    parsed.set(key, tool);
  }
  return tool;
}

export async function callTool(interop, tool, args) {
  try {
    const { returned } = await interop.invoke(tool.method, args, 'best', { methodResponseTimeoutMs: 30_000 });
    return { content: [{ type: 'text', text: JSON.stringify(returned) }], structuredContent: returned };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: error?.message ?? String(error) }] };
  }
}
