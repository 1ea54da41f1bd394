// Publish and subscribe by topic, for clients that switch it on.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.mjs';
import { gateways } from '../support/gateways.mjs';

for (const gateway of gateways) {
  describe(`topics over ${gateway.name}`, () => {
    test('a message reaches those whose topic, routing key and identity fit', async (t) => {
      const { url } = await gateway.start(t);
      const [publisher, listener] = await Promise.all([
        startApp(t, url, 'publisher', { bus: true }),
        startApp(t, url, 'listener', { bus: true }),
      ]);
      await listener.run(async ({ io, emit }) => {
        const hear = (/** @type {string} */ as) => (/** @type {any} */ data, /** @type {string} */ topic, /** @type {any} */ source) =>
          emit({ as, data, topic, from: source.application });
        await io.bus.subscribe('orders.new', hear('exact'));
        await io.bus.subscribe('orders.*', hear('star'));
        await io.bus.subscribe('>', hear('rest'));
        await io.bus.subscribe('orders.new', hear('keyed'), { routingKey: 'fx' });
      });

      await publisher.run(({ io }) => {
        io.bus.publish('orders.new', { id: 1 }, { routingKey: 'equity' });
        io.bus.publish('orders.new', { id: 2 }, { target: { application: 'nobody' } });
        io.bus.publish('orders.new', { id: 3 }, { routingKey: 'fx', target: { application: 'listener' } });
        io.bus.publish('news', { id: 4 });
      });

      await listener.events.next('the last message', ({ data, as }) => data.id === 4 && as === 'rest');
      const heard = listener.events.all.map(({ as, data }) => `${data.id} ${as}`).sort();
      assert.deepEqual(heard, ['1 exact', '1 rest', '1 star', '3 exact', '3 keyed', '3 rest', '3 star', '4 rest']);
      assert.ok(listener.events.all.every(({ from }) => from === 'publisher'));
    });

    test('an unsubscribed listener hears no more', async (t) => {
      const { url } = await gateway.start(t);
      const app = await startApp(t, url, 'alone', { bus: true });
      await app.run(async ({ io, emit }) => {
        const first = await io.bus.subscribe('topic', (data) => emit({ first: data }));
        await io.bus.subscribe('topic', (data) => emit({ second: data }));
        await first.unsubscribe();
        io.bus.publish('topic', { n: 1 });
      });
      await app.events.next('the message', ({ second }) => second?.n === 1);
      assert.deepEqual(await app.emitted(), [{ second: { n: 1 } }]);
    });
  });
}
