// Tools as an application offers them: interop methods with a flag.

/** @typedef {import('./app.mjs').App} App */
/** @typedef {import('./app.mjs').Inside} Inside */

/**
 * @typedef {object} Offer
 * @property {string} name of the tool; the method is called `Method.<name>`
 * @property {string} [description]
 * @property {object} [input] schema of the arguments; any object by default
 * @property {object} [output] schema of the result; any object by default
 * @property {number} [responseTimeoutMs]
 * @property {object} [meta] the `_meta` of the tool
 */

const ANY_OBJECT = { type: 'object' };

/**
 * The method definition that becomes the tool.
 *
 * @param {Offer} offer
 */
export function toolMethod({ name, description, input = ANY_OBJECT, output = ANY_OBJECT, responseTimeoutMs, meta }) {
  return {
    name: `Method.${name}`,
    description: description ?? `Does ${name}`,
    flags: {
      ioIntelMCPTool: {
        name,
        inputSchema: JSON.stringify(input),
        outputSchema: JSON.stringify(output),
        ...(responseTimeoutMs !== undefined && { responseTimeoutMs }),
        ...(meta !== undefined && { _meta: meta }),
      },
    },
  };
}

/**
 * The same as it travels in a frame.
 *
 * @param {string} id
 * @param {Offer} offer
 */
export function toolFrame(id, offer) {
  const { name, description, flags } = toolMethod(offer);
  return { id, name, description, flags: { metadata: flags, streaming: false } };
}

/**
 * Registers a tool. Every invocation is emitted as `{ invoked: arguments }` before the handler runs.
 *
 * @param {App} app
 * @param {Offer} offer
 * @param {(args: any, inside: Inside) => unknown} [handler] runs inside the application, sees nothing else
 */
export async function offerTool(app, offer, handler = () => ({})) {
  await app.run(
    (inside, { method, source }) => {
      const handle = inside.revive(source);
      return inside.io.interop.register(method, (args) => {
        inside.emit({ invoked: args });
        return handle(args, inside);
      });
    },
    { method: toolMethod(offer), source: handler.toString() },
  );
}

/**
 * Withdraws a tool.
 *
 * @param {App} app
 * @param {string} name
 */
export async function withdrawTool(app, name) {
  await app.run(({ io }, method) => io.interop.unregister(method), `Method.${name}`);
}

/**
 * The arguments of every invocation so far.
 *
 * @param {App} app
 */
export async function invocations(app) {
  return (await app.emitted()).filter((event) => 'invoked' in event).map(({ invoked }) => invoked);
}
