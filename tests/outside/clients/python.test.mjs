// The Python SDK as a chat application: another code base than that of the npm clients, with checks of its own.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { startApp } from '../../support/app.mjs';
import { BINARY, binaryEnv, scratch, startDeskwire } from '../../support/deskwire.mjs';
import { HARD_TOOLS, offerHardTools } from '../../support/hard-tools.mjs';
import { run } from '../../support/process.mjs';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {import('../../support/deskwire.mjs').Deskwire} Deskwire */

const PYTHON = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, 'python');
const INTERPRETER = join(PYTHON, '.venv/bin/python');

/** What the SDK calls the two generations of the protocol, and the revision it then speaks. */
const MODES = [
  { mode: 'legacy', version: '2025-11-25' },
  { mode: '2026-07-28', version: '2026-07-28' },
  { mode: 'auto', version: '2026-07-28' },
];

/** @type {{ way: string, server: (desk: Deskwire) => unknown }[]} */
const WAYS = [
  { way: 'HTTP', server: (desk) => desk.mcp },
  { way: 'stdio', server: (desk) => ({ command: BINARY, args: ['mcp', '--gateway', desk.gateway], env: binaryEnv() }) },
];

/**
 * Lists and calls.
 *
 * @param {TestContext} t
 * @param {unknown} server
 * @param {string} mode
 * @param {[string, object][]} calls
 */
async function ask(t, server, mode, calls) {
  const { code, out, err } = await run(t, INTERPRETER, [join(PYTHON, 'client.py')], {
    cwd: scratch(t),
    input: JSON.stringify({ server, mode, calls }),
    patience: 120_000,
  });
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

describe('a chat application in Python', () => {
  before(() => assert.ok(existsSync(INTERPRETER), `no environment at ${INTERPRETER}: cargo xtask test clients`));

  for (const { way, server } of WAYS) {
    for (const { mode, version } of MODES) {
      test(`uses every tool over ${way} in mode ${mode}`, async (t) => {
        const desk = await startDeskwire(t, { config: null });
        await offerHardTools(await startApp(t, desk.gateway, 'hard'));
        const demo = /** @type {[string, object][]} */ ([
          ['find_clients', { query: 'northwind' }],
          ['get_client', { clientId: 'nobody' }],
          ['find_clients', { query: 7 }],
          ['no_such_tool', {}],
        ]);
        const hard = /** @type {[string, object][]} */ (
          HARD_TOOLS.flatMap(({ name, args, wrong }) => (wrong ? [[name, args], [name, wrong]] : [[name, args]]))
        );
        const { version: spoken, tools, answers } = await ask(t, server(desk), mode, [...demo, ...hard]);

        assert.equal(spoken, version);
        const listed = new Set(tools.map((/** @type {any} */ { name }) => name));
        for (const name of ['find_clients', ...HARD_TOOLS.map(({ name }) => name)]) assert.ok(listed.has(name), name);

        const [found, nobody, wrongly, unknown] = answers.splice(0, demo.length);
        assert.ok(found.structuredContent.total > 0);
        assert.equal(nobody.isError, true);
        assert.equal(wrongly.isError, true);
        assert.match(wrongly.content[0].text, /query/);
        assert.equal(unknown.code, -32602);
        for (const { name, result, structured = result, wrong } of HARD_TOOLS) {
          const fit = answers.shift();
          assert.ok(!fit.isError, `${name}: ${JSON.stringify(fit)}`);
          assert.deepEqual(fit.structuredContent, structured, name);
          if (wrong) assert.equal(answers.shift().isError, true, name);
        }
      });
    }
  }
});
