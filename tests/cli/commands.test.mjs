// The command line, as a person or a script uses it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BINARY, binaryEnv, scratch, startDeskwire } from '../support/deskwire.mjs';
import { run as runProgram } from '../support/process.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

/**
 * Runs a command to its end.
 *
 * @param {TestContext} t
 * @param {string[]} args
 * @param {string} [input]
 */
async function run(t, args, input) {
  return await runProgram(t, BINARY, args, { cwd: scratch(t), env: binaryEnv(), input });
}

describe('help', () => {
  test('names every command and shows examples', async (t) => {
    const { code, out } = await run(t, ['--help']);
    assert.equal(code, 0);
    for (const command of ['up', 'mcp', 'gateway', 'tools', 'call']) {
      assert.match(out, new RegExp(`^ +${command} `, 'm'));
      const own = await run(t, [command, '--help']);
      assert.equal(own.code, 0);
      assert.match(own.out, /Usage:/);
    }
    assert.match(out, /Examples:/);
  });

  test('comes with a mistake, on stderr', async (t) => {
    const { code, out, err } = await run(t, ['uq']);
    assert.equal(code, 2);
    assert.equal(out, '');
    assert.match(err, /unrecognized subcommand 'uq'/);
  });
});

describe('tools and call', () => {
  test('show and use the demo of `up` without a configuration', async (t) => {
    const desk = await startDeskwire(t, { config: null });
    const listed = await run(t, ['tools', '--url', desk.mcp, '--json']);
    assert.equal(listed.code, 0, listed.err);
    /** @type {{ name: string, inputSchema: any, outputSchema: any }[]} */
    const tools = JSON.parse(listed.out).tools;
    for (const name of ['find_clients', 'get_portfolio', 'list_orders']) {
      const tool = tools.find((candidate) => candidate.name === name);
      assert.equal(tool?.inputSchema.type, 'object', name);
    }

    const found = await run(t, ['call', '--url', desk.mcp, 'find_clients', '{"query":"northwind"}', '--json']);
    assert.equal(found.code, 0, found.err);
    const result = JSON.parse(found.out);
    assert.ok(!result.isError);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    assert.match(found.out, /northwind/i);

    const human = await run(t, ['tools', '--url', desk.mcp]);
    assert.equal(human.code, 0);
    assert.match(human.out, /^find_clients\(/m);
  });

  test('read arguments from standard input, and tell an error of the tool by the exit code', async (t) => {
    const desk = await startDeskwire(t, { config: null });
    const piped = await run(t, ['call', '--url', desk.mcp, 'find_clients', '-'], '{"query":"northwind"}');
    assert.equal(piped.code, 0, piped.err);

    const wrong = await run(t, ['call', '--url', desk.mcp, 'find_clients', '{"query":7}']);
    assert.equal(wrong.code, 1);
    assert.match(wrong.out, /query/);
  });

  test('declare the capabilities they are told to', async (t) => {
    const desk = await startDeskwire(t, { config: null });
    const { code, err } = await run(t, ['tools', '--url', desk.mcp, '--as', 'sampling,elicitation,ui', '--json']);
    assert.equal(code, 0, err);
  });

  test('say what is wrong when they cannot ask: exit code 2, one clear message', async (t) => {
    const desk = await startDeskwire(t);
    for (const args of [
      ['call', '--url', desk.mcp, 'no_such_tool'],
      ['call', '--url', desk.mcp, 'any', '{not json'],
      ['call', '--url', desk.mcp, 'any', '[1]'],
      ['tools', '--url', 'http://127.0.0.1:1/mcp'],
      ['doctor', '--url', 'http://127.0.0.1:1/mcp'],
      ['tools', '--url', `${desk.base}/nowhere`],
    ]) {
      const { code, out, err } = await run(t, args);
      assert.equal(code, 2, args.join(' '));
      assert.equal(out, '');
      assert.notEqual(err, '');
      assert.doesNotMatch(err, /panicked|RUST_BACKTRACE/);
    }
  });
});

describe('up', () => {
  test('says which port is taken', async (t) => {
    const desk = await startDeskwire(t);
    const { code, out, err } = await run(t, ['up', '--no-open', '--port', String(desk.port), '--data', scratch(t)]);
    assert.notEqual(code, 0);
    assert.equal(out, '');
    assert.match(err, new RegExp(String(desk.port)));
  });

  test('says that its data folder is in use', async (t) => {
    const desk = await startDeskwire(t);
    const { code, out, err } = await run(t, ['up', '--no-open', '--port', '0', '--data', desk.data]);
    assert.notEqual(code, 0);
    assert.equal(out, '');
    assert.ok(err.includes(desk.data), err);
  });

  test('names file, line and field of a mistake in the configuration', async (t) => {
    const data = scratch(t);
    await assert.rejects(
      startDeskwire(t, { data, config: { server: { tools: { responseTimeoutMs: 'soon' } } } }),
      /deskwire\.test\.json[^]*responseTimeoutMs/,
    );
  });
});
