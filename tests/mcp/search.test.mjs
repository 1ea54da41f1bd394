// Search: by words for every client, and by the client's own model, whatever that model does.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { scratch, startDeskwire } from '../support/deskwire.mjs';
import { Log } from '../support/events.mjs';
import { clients, textOf } from '../support/mcp.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

const APPLICATIONS = 'io_connect_search_applications';
const WORKSPACES = 'io_connect_search_workspaces';

const page = { type: 'window', details: { url: 'http://localhost:4100/' } };
const DEFINITIONS = [
  { name: 'price-chart', caption: 'Draws the price history of an instrument', ...page },
  { name: 'order-ticket', caption: 'Enters orders to buy or sell securities', ...page },
  { name: 'silent', ...page },
];
const LAYOUTS = [
  {
    name: 'Morning',
    type: 'Workspace',
    metadata: {
      description: 'Risk figures and limits for the morning meeting',
      contextSchema: { type: 'object', properties: { book: { type: 'string' } } },
    },
    components: [{ type: 'Workspace', state: { config: {}, context: {}, children: [] } }],
  },
];

/**
 * A desktop with a few definitions.
 *
 * @param {TestContext} t
 * @param {object} [system]
 */
async function startDesk(t, system = {}) {
  const data = scratch(t);
  writeFileSync(join(data, 'apps.json'), JSON.stringify(DEFINITIONS));
  writeFileSync(join(data, 'layouts.json'), JSON.stringify(LAYOUTS));
  const platform = { applications: ['apps.json'], layouts: ['layouts.json'] };
  return await startDeskwire(t, { data, config: { platform, server: { tools: { system } } } });
}

/** @param {object} by */
const chosen = (by) =>
  JSON.stringify({ canSatisfyUserIntent: true, summary: 'It fits.', willSatisfyUserIntentBy: by });

for (const kind of clients) {
  describe(`search by the model of ${kind.name}`, () => {
    test('gets what its model chose, as the definitions have it', async (t) => {
      const desk = await startDesk(t);
      /** @type {Log<any>} */
      const asked = new Log();
      const client = await kind.connect(t, desk, { sampling: {} }, (params) => {
        asked.push(params);
        return chosen({ apps: ['price-chart', 'made-up'] });
      });
      const tools = await client.tools();
      assert.deepEqual(tools.map(({ name }) => name), [APPLICATIONS, WORKSPACES]);
      const result = await client.call(APPLICATIONS, { userIntent: 'How did Roche do this year?' });
      assert.ok(!result.isError, textOf(result));
      const { summary, willSatisfyUserIntentBy } = result.structuredContent;
      assert.ok(new Ajv2020().validate(tools[0].outputSchema, result.structuredContent));
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
      assert.equal(summary, 'It fits.');
      assert.deepEqual(willSatisfyUserIntentBy, {
        apps: [{ name: 'price-chart', caption: 'Draws the price history of an instrument', includeInWorkspaces: false }],
      });
      const [params] = asked.all;
      assert.equal(asked.all.length, 1);
      assert.equal(params._meta.toolName, APPLICATIONS);
      assert.equal(params._meta.structuredOutput.type, 'object');
      assert.match(params.messages[0].content.text, /price-chart[^]*How did Roche do this year\?/);
      assert.doesNotMatch(params.messages[0].content.text, /silent/);
    });

    test('gets the workspace that its model chose', async (t) => {
      const desk = await startDesk(t);
      const client = await kind.connect(t, desk, { sampling: {} }, () => chosen({ workspace: { name: 'Morning' } }));
      const result = await client.call(WORKSPACES, { userIntent: 'Prepare the meeting' });
      assert.deepEqual(result.structuredContent.willSatisfyUserIntentBy.workspace, {
        name: 'Morning',
        description: LAYOUTS[0].metadata.description,
        contextSchema: LAYOUTS[0].metadata.contextSchema,
      });
    });

    test('asks once more for an answer that cannot be used, then says so', async (t) => {
      const desk = await startDesk(t);
      const answers = ['Sure, I would use the chart!', chosen({ apps: ['order-ticket'] }), '{', '{'];
      /** @type {string[]} */
      const systems = [];
      const client = await kind.connect(t, desk, { sampling: {} }, ({ systemPrompt }) => {
        systems.push(systemPrompt);
        return answers.shift();
      });
      const intent = { userIntent: 'I want to sell shares' };
      const good = await client.call(APPLICATIONS, intent);
      assert.equal(good.structuredContent.willSatisfyUserIntentBy.apps[0].name, 'order-ticket');
      assert.match(systems[1], /could not be used: it holds no JSON object/);
      const bad = await client.call(APPLICATIONS, intent);
      assert.ok(!bad.isError);
      assert.deepEqual(bad.structuredContent.willSatisfyUserIntentBy, {});
      assert.match(bad.structuredContent.summary, /no usable answer/);
      assert.notEqual(bad.structuredContent.nextSteps, '');
      assert.equal(systems.length, 4);
    });

    test('goes on for others when one client vanishes while it is asked', async (t) => {
      const desk = await startDesk(t);
      /** @type {Log<string>} */
      const asked = new Log();
      const gone = await kind.connect(t, desk, { sampling: {} }, () => {
        asked.push('asked');
        return new Promise(() => {});
      });
      const controller = new AbortController();
      gone.call(APPLICATIONS, { userIntent: 'prices' }, controller.signal).catch(() => {}); // nobody waits for it
      await asked.next('the question', () => true);
      controller.abort();
      const other = await kind.connect(t, desk, { sampling: {} }, () => chosen({ apps: ['price-chart'] }));
      const result = await other.call(APPLICATIONS, { userIntent: 'prices' });
      assert.equal(result.structuredContent.canSatisfyUserIntent, true);
    });
  });
}

for (const kind of clients.slice(0, 2)) {
  test(`a refusal is a normal result for ${kind.name}`, async (t) => {
    const desk = await startDesk(t);
    const client = await kind.connect(t, desk, { sampling: {} }, () => {
      throw new Error('the person said no');
    });
    const result = await client.call(APPLICATIONS, { userIntent: 'prices' });
    assert.ok(!result.isError);
    assert.equal(result.structuredContent.canSatisfyUserIntent, false);
    assert.match(result.structuredContent.summary, /the person said no/);
    assert.notEqual(result.structuredContent.nextSteps, '');
  });

  test(`questions go one after the other to ${kind.name}`, async (t) => {
    const desk = await startDesk(t);
    let open = 0;
    let most = 0;
    const client = await kind.connect(t, desk, { sampling: {} }, async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return chosen({ apps: ['price-chart'] });
    });
    const calls = Array.from({ length: 5 }, () => client.call(APPLICATIONS, { userIntent: 'prices' }));
    for (const result of await Promise.all(calls)) assert.equal(result.structuredContent.canSatisfyUserIntent, true);
    assert.equal(most, 1);
  });
}

for (const kind of clients.filter(({ name }) => name.includes('HTTP'))) {
  test(`words decide for ${kind.name}, the same every time, under the operator's names`, async (t) => {
    const lexical = { matching: 'lexical', overrides: { name: 'find_apps' }, guard: 'app.name != "order-ticket"' };
    const desk = await startDesk(t, { searchApps: lexical, searchWorkspaces: { enabled: false } });
    const client = await kind.connect(t, desk);
    assert.deepEqual((await client.tools()).map(({ name }) => name), ['find_apps']);
    const find = async (/** @type {string} */ userIntent) => (await client.call('find_apps', { userIntent })).structuredContent;
    const found = await find('Show the price history of Roche');
    assert.deepEqual(found.willSatisfyUserIntentBy.apps.map((/** @type {any} */ { name }) => name), ['price-chart']);
    assert.match(found.nextSteps, /not built yet/);
    for (let run = 0; run < 20; run += 1) assert.deepEqual(await find('Show the price history of Roche'), found);
    assert.equal((await find('Buy shares and sell securities')).canSatisfyUserIntent, false, 'the guard keeps it out');
  });
}

test('a client without a model is not asked, and does not see what needs one', async (t) => {
  const desk = await startDesk(t);
  for (const kind of clients) {
    const client = await kind.connect(t, desk);
    assert.deepEqual(await client.tools(), []);
    await assert.rejects(client.call(APPLICATIONS, { userIntent: 'prices' }), /Unknown tool/);
  }
});
