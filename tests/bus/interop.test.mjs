// Methods: registered in one process, found and invoked in another.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp, startApps } from '../support/app.mjs';
import { gateways } from '../support/gateways.mjs';

for (const gateway of gateways) {
  describe(`interop over ${gateway.name}`, () => {
    test('a method is found with its definition, called with its arguments and answers with its result', async (t) => {
      const { url } = await gateway.start(t);
      const [server, client] = await startApps(t, url, 'adder', 'caller');
      await server.run(({ io, emit }) =>
        io.interop.register(
          {
            name: 'Demo.Add',
            displayName: 'Add',
            description: 'adds two numbers',
            version: 2,
            objectTypes: ['Sum'],
            accepts: 'Double a, Double b',
            returns: 'Double sum',
            flags: { nested: { list: [1, 'two', null] } },
          },
          ({ a, b, at }, caller) => {
            emit({ from: caller.application });
            return { sum: a + b, at, isDate: at instanceof Date };
          },
        ),
      );

      const found = await client.run(async ({ io }) => {
        const { getServers, ...method } = await io.interop.waitForMethod('Demo.Add');
        return { ...method, servers: getServers().map(({ application }) => application) };
      });
      assert.deepEqual(
        {
          name: found.name,
          displayName: found.displayName,
          description: found.description,
          version: found.version,
          objectTypes: found.objectTypes,
          accepts: found.accepts,
          returns: found.returns,
          flags: found.flags,
          supportsStreaming: found.supportsStreaming,
          servers: found.servers,
        },
        {
          name: 'Demo.Add',
          displayName: 'Add',
          description: 'adds two numbers',
          version: 2,
          objectTypes: ['Sum'],
          accepts: 'Double a, Double b',
          returns: 'Double sum',
          flags: { nested: { list: [1, 'two', null] } },
          supportsStreaming: false,
          servers: ['adder'],
        },
      );

      const at = new Date(1_700_000_000_001);
      const answer = await client.run(
        async ({ io }, args) => (await io.interop.invoke('Demo.Add', args)).returned,
        { a: 1.5, b: 2, at },
      );
      assert.deepEqual(answer, { sum: 3.5, at, isDate: true });
      assert.deepEqual(await server.emitted(), [{ from: 'caller' }]);
    });

    test('nothing, a primitive and an array come back as objects', async (t) => {
      const { url } = await gateway.start(t);
      const [server, client] = await startApps(t, url, 'server', 'client');
      await server.run(async ({ io }) => {
        await io.interop.register('Return.Nothing', () => undefined);
        await io.interop.register('Return.Number', () => 7);
        await io.interop.register('Return.List', () => [1, 2]);
      });
      const answers = await client.run(async ({ io }) => {
        const returned = [];
        for (const name of ['Return.Nothing', 'Return.Number', 'Return.List']) {
          returned.push((await io.interop.invoke(name)).returned);
        }
        return returned;
      });
      assert.deepEqual(answers, [{}, { _value: 7 }, { _value: [1, 2] }]);
    });

    test('best, all, others and one instance are who answers', async (t) => {
      const { url } = await gateway.start(t);
      const first = await startApp(t, url, 'first');
      const second = await startApp(t, url, 'second');
      for (const app of [first, second]) {
        await app.run(({ io }) => io.interop.register('Who', () => ({ i: io.interop.instance.application })));
      }
      const client = await startApp(t, url, 'client');

      const asked = await client.run(async ({ io }) => {
        const best = (await io.interop.invoke('Who')).returned.i;
        await io.interop.register('Who', () => ({ i: 'client' }));
        const who = async (/** @type {any} */ target) => {
          const result = await io.interop.invoke('Who', {}, target);
          return (result.all_return_values ?? []).map(({ returned }) => returned.i).sort();
        };
        const [, other] = io.interop.servers().filter(({ application }) => application !== 'client');
        return {
          best,
          all: await who('all'),
          skipMine: await who('skipMine'),
          instance: await who(other),
          byName: await who({ application: 'first' }),
        };
      });
      assert.deepEqual(asked, {
        best: 'first',
        all: ['client', 'first', 'second'],
        skipMine: ['first', 'second'],
        instance: ['second'],
        byName: ['first'],
      });
    });

    test('what the handler throws is what the caller reads', async (t) => {
      const { url } = await gateway.start(t);
      const [server, client] = await startApps(t, url, 'server', 'client');
      await server.run(({ io }) =>
        io.interop.register('Refuse', () => {
          throw new Error('the book is closed');
        }),
      );
      await assert.rejects(
        client.run(({ io }) => io.interop.invoke('Refuse')),
        /the book is closed/,
      );
    });

    test('an unregistered method is gone for everybody, its neighbour stays', async (t) => {
      const { url } = await gateway.start(t);
      const [server, client] = await startApps(t, url, 'server', 'client');
      await server.run(async ({ io }) => {
        await io.interop.register('Brief', () => ({}));
        await io.interop.register('Lasting', () => ({ still: 'here' }));
      });
      await client.run(async ({ io, emit }) => {
        await io.interop.waitForMethod('Brief');
        io.interop.methodRemoved(({ name }) => emit({ removed: name }));
      });

      await server.run(({ io }) => io.interop.unregister('Brief'));

      await client.events.next('the method to go', ({ removed }) => removed === 'Brief');
      await assert.rejects(
        client.run(({ io }) => io.interop.invoke('Brief', {}, 'best', { waitTimeoutMs: 100 })),
        /Brief/,
      );
      assert.deepEqual(
        await client.run(async ({ io }) => (await io.interop.invoke('Lasting')).returned),
        { still: 'here' },
      );
    });

    test('a killed server takes its methods along and fails the call it was busy with', async (t) => {
      const { url } = await gateway.start(t);
      const [server, client] = await startApps(t, url, 'doomed', 'client');
      await server.run(({ io, emit }) =>
        io.interop.register('Ponder', () => {
          emit('pondering');
          return new Promise(() => {});
        }),
      );
      await client.run(async ({ io, emit }) => {
        await io.interop.waitForMethod('Ponder');
        io.interop.serverRemoved(({ application }) => emit({ gone: application }));
      });

      const call = client.run(({ io }) => io.interop.invoke('Ponder'));
      await server.events.next('the call to arrive');
      const before = performance.now();
      await server.end('SIGKILL');

      await assert.rejects(call);
      assert.ok(performance.now() - before < 5_000, 'the failure came long before the 30 s of the call');
      await client.events.next('the server to go', ({ gone }) => gone === 'doomed');
      assert.deepEqual(await client.run(({ io }) => io.interop.methods('Ponder').length), 0);
    });

    test('an application that leaves is announced as gone', async (t) => {
      const { url } = await gateway.start(t);
      const [guest, host] = await startApps(t, url, 'guest', 'host');
      await host.run(({ io, emit }) => void io.interop.serverRemoved(({ application }) => emit(application)));
      await guest.run(({ io }) => io.interop.register('Guest.Method', () => ({})));

      await guest.run(({ io }) => io.done());

      await host.events.next('the guest to go', (application) => application === 'guest');
    });
  });
}
