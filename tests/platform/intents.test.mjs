// Intents as the desktop library finds, raises and filters them, with nothing of the platform's beside it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDesktopApp } from '../support/app.mjs';
import { scratch, startDeskwire } from '../support/deskwire.mjs';
import { nodeApp, program, withScripts } from '../support/programs.mjs';

/** A chart that is started by the intent it handles, and one that never handles it. */
const chart = nodeApp('chart', {
  title: 'Chart',
  caption: 'Shows prices',
  intents: [
    { name: 'ViewChart', displayName: 'View chart', contexts: ['Instrument'], resultType: 'Picture', customConfig: { a: 1 } },
  ],
});
const silent = nodeApp('silent', { intents: [{ name: 'ViewSilence' }] });

const FILES = withScripts([chart, silent], {
  chart: program('@interopio/desktop', {}, async (io) => {
    await io.intents.register('ViewChart', (/** @type {any} */ context, /** @type {any} */ caller) => ({
      drawn: context.data?.ric,
      by: io.interop.instance.instance,
      for: caller?.application,
    }));
  }),
  silent: program('@interopio/desktop', {}, () => {}),
});

/**
 * `deskwire up` with these applications.
 *
 * @param {import('node:test').TestContext} t
 */
async function startDesk(t) {
  const data = scratch(t);
  for (const [name, content] of Object.entries(FILES)) {
    writeFileSync(join(data, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return await startDeskwire(t, { data, config: { platform: { applications: ['apps.json'] } } });
}

/**
 * A client that handles `ViewChart` while it runs.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} gateway
 * @param {string} name
 */
async function startHandler(t, gateway, name) {
  const app = await startDesktopApp(t, gateway, name);
  await app.run(async ({ io, emit }) => {
    await io.intents.register(
      { intent: 'ViewChart', contextTypes: ['Instrument', 'Client'], displayName: 'Here', resultType: 'Table' },
      (context) => {
        emit(context);
        return { by: io.interop.instance.application };
      },
    );
  });
  return app;
}

test('intents of definitions and of running handlers are found', async (t) => {
  const desk = await startDesk(t);
  const handler = await startHandler(t, desk.gateway, 'live');
  const client = await startDesktopApp(t, desk.gateway, 'client');
  const seen = await client.run(async ({ io }) => {
    const names = async (/** @type {any} */ filter) => (await io.intents.find(filter)).map((intent) => intent.name).sort();
    const [view] = await io.intents.find('ViewChart');
    return {
      all: (await io.intents.all()).map((intent) => intent.name).sort(),
      handlers: view.handlers,
      context: await names({ contextType: 'client' }),
      result: await names({ resultType: 'picture' }),
      both: await names({ name: 'ViewChart', contextType: 'Instrument' }),
      none: await names({ contextType: 'Nothing' }),
      instance: io.interop.instance.instance,
    };
  });
  assert.deepEqual(seen.all, ['ViewChart', 'ViewSilence']);
  const [defined, running] = seen.handlers;
  assert.deepEqual(
    { name: defined?.applicationName, title: defined?.applicationTitle, type: defined?.type, shown: defined?.displayName },
    { name: 'chart', title: 'Chart', type: 'app', shown: 'View chart' },
  );
  assert.deepEqual([defined?.contextTypes, defined?.resultType, defined?.customConfig], [['Instrument'], 'Picture', { a: 1 }]);
  const id = await handler.run(({ io }) => io.interop.instance.instance);
  assert.deepEqual(
    { name: running?.applicationName, type: running?.type, instance: running?.instanceId, shown: running?.displayName },
    { name: 'live', type: 'instance', instance: id, shown: 'Here' },
  );
  assert.deepEqual([seen.context, seen.result, seen.both, seen.none], [['ViewChart'], ['ViewChart'], ['ViewChart'], []]);
});

test('handlers are filtered by context type, result type and application', async (t) => {
  const desk = await startDesk(t);
  await startHandler(t, desk.gateway, 'live');
  const client = await startDesktopApp(t, desk.gateway, 'client');
  const seen = await client.run(async ({ io }) => {
    const handlers = async (/** @type {any} */ filter) =>
      (await io.intents.filterHandlers({ openResolver: false, ...filter })).handlers.map((one) => one.applicationName).sort();
    return {
      intent: await handlers({ intent: 'ViewChart' }),
      context: await handlers({ intent: 'ViewChart', contextTypes: ['Client'] }),
      result: await handlers({ intent: 'ViewChart', resultType: 'Picture' }),
      app: await handlers({ applicationNames: ['silent'] }),
      excluded: await handlers({ intent: 'ViewChart', excludeList: [{ applicationName: 'live' }] }),
      of: (await io.intents.getIntents({ applicationName: 'chart', type: 'app' })).intents.map((one) => one.intent),
    };
  });
  assert.deepEqual(seen, {
    intent: ['chart', 'live'],
    context: ['live'],
    result: ['chart'],
    app: ['silent'],
    excluded: ['chart'],
    of: ['ViewChart'],
  });
});

test('an intent is raised at a running instance, and its result comes back', async (t) => {
  const desk = await startDesk(t);
  const [one, two] = [await startHandler(t, desk.gateway, 'one'), await startHandler(t, desk.gateway, 'two')];
  const target = await two.run(({ io }) => io.interop.instance.instance);
  const client = await startDesktopApp(t, desk.gateway, 'client');
  const context = { type: 'Instrument', data: { ric: 'ASML.AS' } };
  const raised = await client.run(
    ({ io }, { context, target }) => io.intents.raise({ intent: 'ViewChart', context, target: { instance: target } }),
    { context, target },
  );
  assert.deepEqual(raised.result, { by: 'two' });
  assert.deepEqual([raised.handler.instanceId, raised.handler.type], [target, 'instance']);
  assert.deepEqual(await two.emitted(), [context]);
  assert.deepEqual(await one.emitted(), []);
});

test('an intent without a target starts the application that handles it', async (t) => {
  const desk = await startDesk(t);
  const client = await startDesktopApp(t, desk.gateway, 'client', { appManager: 'full' });
  const seen = await client.run(async ({ io }) => {
    const context = { type: 'Instrument', data: { ric: 'BMW.DE' } };
    const first = await io.intents.raise({ intent: 'ViewChart', context });
    // The handler runs now: it is taken again, and another one only on request.
    const second = await io.intents.raise({ intent: 'ViewChart', context, target: 'reuse' });
    const third = await io.intents.raise({ intent: 'ViewChart', context, target: 'startNew' });
    const running = io.appManager.instances().filter((one) => one.application?.name === 'chart');
    const by = await Promise.all(running.map((one) => one.startedBy()));
    return { first, second, third, running: running.map((one) => one.id).sort(), by, me: io.interop.instance.instance };
  });
  const { first, second, third } = seen;
  assert.deepEqual(first.result, { drawn: 'BMW.DE', by: first.handler.instanceId, for: 'client' });
  assert.equal(second.handler.instanceId, first.handler.instanceId);
  assert.notEqual(third.handler.instanceId, first.handler.instanceId);
  assert.deepEqual(seen.running, [first.handler.instanceId, third.handler.instanceId].sort());
  for (const by of seen.by) {
    assert.deepEqual(by, { startedBy: 'intent', applicationName: 'client', instanceID: seen.me });
  }
});

test('of several handlers the first one that runs is taken while nobody can be asked', async (t) => {
  const desk = await startDesk(t);
  const [one, two] = [await startHandler(t, desk.gateway, 'one'), await startHandler(t, desk.gateway, 'two')];
  const client = await startDesktopApp(t, desk.gateway, 'client');
  const raised = await client.run(({ io }) => io.intents.raise({ intent: 'ViewChart', context: { type: 'Client', data: {} } }));
  assert.deepEqual(raised.result, { by: 'one' });
  assert.deepEqual([(await one.emitted()).length, (await two.emitted()).length], [1, 0]);
});

test('an intent that nobody handles, and one whose handler stays silent, are refused by name', async (t) => {
  const desk = await startDesk(t);
  const client = await startDesktopApp(t, desk.gateway, 'client');
  const seen = await client.run(async ({ io }) => {
    const refused = async (/** @type {any} */ raise) => {
      try {
        return JSON.stringify(await io.intents.raise(raise));
      } catch (error) {
        return `refused: ${error && typeof error === 'object' && 'message' in error ? error.message : error}`;
      }
    };
    const began = performance.now();
    return {
      nobody: await refused('ViewNothing'),
      gone: await refused({ intent: 'ViewChart', target: { instance: 'nobody' } }),
      silent: await refused({ intent: 'ViewSilence', timeout: 3_000 }),
      took: performance.now() - began,
    };
  });
  assert.match(seen.nobody, /^refused: Cannot find Intent.*ViewNothing/);
  assert.match(seen.gone, /^refused: .*can not find intent handler/);
  assert.match(seen.silent, /^refused: .*timeout hit.*ViewSilence/i);
  assert.ok(seen.took < 10_000, `${seen.took} ms`);
});

test('what a handler says when it fails reaches whoever raised the intent', async (t) => {
  const desk = await startDesk(t);
  const handler = await startDesktopApp(t, desk.gateway, 'handler');
  await handler.run(async ({ io }) => {
    await io.intents.register('ViewFailure', () => {
      throw new Error('no prices today');
    });
  });
  const client = await startDesktopApp(t, desk.gateway, 'client');
  const said = await client.run(({ io }) => io.intents.raise('ViewFailure').then(JSON.stringify, (error) => error.message));
  assert.match(said, /Intent Handler function.*no prices today/);
});

test('handlers that come and go are told', async (t) => {
  const desk = await startDesk(t);
  const client = await startDesktopApp(t, desk.gateway, 'client', { appManager: 'full' });
  await client.run(({ io, emit }) => {
    io.intents.onHandlerAdded((handler, intent) => emit(`added ${handler.applicationName} ${intent}`));
    io.intents.onHandlerRemoved((handler, intent) => emit(`removed ${handler.applicationName} ${intent}`));
  });
  const handler = await startHandler(t, desk.gateway, 'live');
  await client.events.until('the handler', (all) => all.includes('added live ViewChart'));
  await client.events.until('the definition', (all) => all.includes('added chart ViewChart'));
  await handler.end();
  await client.events.until('its end', (all) => all.includes('removed live ViewChart'));
  writeFileSync(join(desk.data, 'apps.json'), JSON.stringify([chart]));
  await client.events.until('the end of a definition', (all) => all.includes('removed silent ViewSilence'));
});
