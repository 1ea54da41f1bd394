// Whatever a client declares, every tool it is shown has schemas that a strict validator takes, and results that fit
// them by the client's own check.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startApp } from '../support/app.mjs';
import { startDeskwire } from '../support/deskwire.mjs';
import { HARD_TOOLS, offerHardTools } from '../support/hard-tools.mjs';
import { clients, textOf } from '../support/mcp.mjs';
import { offerTool } from '../support/tool.mjs';

/** What a client can declare that decides what it is shown. */
const CAPABILITIES = [
  { sampling: {} },
  { elicitation: {} },
  { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
  { experimental: { workingContext: {} } },
];

/** Every set of them. */
const PROFILES = Array.from({ length: 2 ** CAPABILITIES.length }, (_, set) =>
  Object.assign({}, ...CAPABILITIES.filter((_, bit) => set & (2 ** bit))),
);

/** Calls that fit, of the demo's tools. @type {Record<string, Record<string, unknown>>} */
const DEMO_CALLS = {
  find_clients: { query: 'northwind' },
  get_client: { clientId: 'C-1001' },
  get_portfolio: { clientId: 'C-1001' },
  get_quote: { symbol: 'ASML' },
  list_orders: {},
};

/** A validator as strict as it goes; but types that stand in another branch, and tuples that may be longer, are right. */
const strict = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, strictRequired: true, validateFormats: false });

/** Schemas that it took, as text. @type {Set<string>} */
const taken = new Set();

for (const kind of clients) {
  describe(`schemas for ${kind.name}`, () => {
    test('are taken and kept, whatever the client declares', async (t) => {
      const desk = await startDeskwire(t, { config: null });
      const app = await startApp(t, desk.gateway, 'hard');
      await offerHardTools(app);
      await offerTool(app, { name: 'a_view', meta: { ui: { resourceUri: 'ui://hard/view' } } });

      for (const capabilities of PROFILES) {
        const declared = JSON.stringify(capabilities);
        const client = await kind.connect(t, desk, capabilities);
        const tools = await client.tools();
        const names = new Set(tools.map(({ name }) => name));
        for (const { name } of HARD_TOOLS) assert.ok(names.has(name), `${name} for ${declared}`);
        assert.equal(names.has('a_view'), 'extensions' in capabilities, `a tool with a view for ${declared}`);

        for (const { name, inputSchema, outputSchema } of tools) {
          for (const schema of [inputSchema, outputSchema ?? {}]) {
            const text = JSON.stringify(schema);
            if (taken.has(text)) continue;
            assert.doesNotThrow(() => strict.compile(schema), `${name} for ${declared}: ${text}`);
            taken.add(text);
          }
        }
        for (const { name, args, result, structured = result } of HARD_TOOLS) {
          const answer = await client.call(name, args);
          assert.ok(!answer.isError, `${name} for ${declared}: ${textOf(answer)}`);
          assert.deepEqual(answer.structuredContent, structured, `${name} for ${declared}`);
          assert.deepEqual(JSON.parse(answer.content[0].text), structured, `${name} for ${declared}`);
        }
        for (const [name, args] of Object.entries(DEMO_CALLS)) {
          const answer = await client.call(name, args);
          assert.ok(!answer.isError, `${name} for ${declared}: ${textOf(answer)}`);
        }
      }
    });
  });
}
