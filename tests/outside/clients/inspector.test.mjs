// The inspector as a strict reader: it says which published schemas some client could stumble over.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.mjs';
import { BINARY, binaryEnv, scratch, startDeskwire } from '../../support/deskwire.mjs';
import { HARD_TOOLS, offerHardTools } from '../../support/hard-tools.mjs';
import { runPackaged } from '../../support/outside.mjs';

/** @typedef {import('../../support/deskwire.mjs').Deskwire} Deskwire */
/** @typedef {{ toolName: string, findings: { rule: string, severity: string, schema: string, path: string }[] }} Finding */

const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';

/**
 * What it may remark where it is the author who allows any value, or values of several types: the schema says so
 * since it is meant so.
 */
const MEANT = new Set(['untyped-schema', 'type-union']);

/** @type {{ way: string, target: (desk: Deskwire) => string[] }[]} */
const WAYS = [
  { way: 'HTTP', target: (desk) => ['--transport', 'http', '--server-url', desk.mcp] },
  { way: 'stdio', target: (desk) => ['--', BINARY, '--log', 'error', 'mcp', '--gateway', desk.gateway] },
];

describe('the inspector', () => {
  for (const { way, target } of WAYS) {
    for (const era of ['legacy', 'modern']) {
      test(`has no complaint about any tool over ${way}, ${era} protocol`, async (t) => {
        const desk = await startDeskwire(t, { config: null });
        const list = async () => {
          const args = ['--cli', '--strict', '--format', 'json', '--protocol-era', era, '--method', 'tools/list'];
          const { code, out, err } = await runPackaged(t, INSPECTOR, [...args, ...target(desk)], {
            env: { ...binaryEnv(), HOME: scratch(t) },
            patience: 120_000,
          });
          assert.equal(code, 0, err);
          const { result, schemaFindings = [] } = JSON.parse(out);
          return { tools: new Set(result.tools.map((/** @type {any} */ { name }) => name)), findings: schemaFindings, err };
        };

        const demo = await list();
        assert.ok(demo.tools.has('find_clients'));
        assert.deepEqual({ findings: demo.findings, err: demo.err }, { findings: [], err: '' });

        await offerHardTools(await startApp(t, desk.gateway, 'hard'));
        const all = await list();
        for (const { name } of HARD_TOOLS) assert.ok(all.tools.has(name), name);
        const complaints = /** @type {Finding[]} */ (all.findings).flatMap(({ toolName, findings }) =>
          findings
            .filter(({ rule, severity }) => severity !== 'warning' || !MEANT.has(rule))
            .map(({ rule, schema, path }) => `${toolName}: ${rule} at ${schema}.${path}`),
        );
        assert.deepEqual(complaints, []);
      });
    }
  }
});
