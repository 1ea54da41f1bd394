// Streams: published in one process, followed in others.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApps } from '../support/app.mjs';
import { gateways } from '../support/gateways.mjs';

/** @typedef {import('../support/app.mjs').Inside} Inside */

/**
 * A stream of prices with a branch per symbol; it refuses whoever asks for `SECRET`.
 *
 * @param {Inside} inside
 */
async function publishPrices({ io, emit, kept }) {
  kept.stream = await io.interop.createStream('Prices', {
    subscriptionRequestHandler(request) {
      const { symbol } = request.arguments;
      if (symbol === 'SECRET') request.reject('not for you');
      else if (symbol === undefined) request.accept();
      else request.acceptOnBranch(symbol);
    },
    subscriptionAddedHandler(subscription) {
      subscription.push({ snapshot: true });
      emit({ added: subscription.branchKey });
    },
    subscriptionRemovedHandler: (subscription) => emit({ removed: subscription.branchKey }),
  });
}

/**
 * Follows the prices of a symbol, or of none.
 *
 * @param {Inside} inside
 * @param {string} [symbol]
 */
async function follow({ io, emit, kept }, symbol) {
  const subscription = await io.interop.subscribe('Prices', {
    arguments: symbol === undefined ? {} : { symbol },
    onData: ({ data, private: own }) => emit({ data, own }),
  });
  subscription.onClosed(() => emit('closed'));
  kept.subscription = subscription;
}

for (const gateway of gateways) {
  describe(`streams over ${gateway.name}`, () => {
    test('a branch reaches its subscribers alone, a push without branch reaches all', async (t) => {
      const { url } = await gateway.start(t);
      const [publisher, microsoft, apple] = await startApps(t, url, 'publisher', 'microsoft', 'apple');
      await publisher.run(publishPrices);
      await microsoft.run(follow, 'MSFT');
      await apple.run(follow, 'AAPL');
      await publisher.events.until('both subscribers', (events) => events.length === 2);

      await publisher.run(({ kept }) => {
        kept.stream.push({ price: 1.5 }, 'MSFT');
        kept.stream.push({ price: 2.5 }, 'AAPL');
        kept.stream.push({ market: 'closed' });
      });

      for (const [app, price] of /** @type {const} */ ([[microsoft, 1.5], [apple, 2.5]])) {
        await app.events.next('the last push', ({ data }) => data?.market === 'closed');
        assert.deepEqual(await app.emitted(), [
          { data: { snapshot: true }, own: true },
          { data: { price }, own: false },
          { data: { market: 'closed' }, own: false },
        ]);
      }
    });

    test('a refused subscriber reads why, an accepted one is not disturbed', async (t) => {
      const { url } = await gateway.start(t);
      const [publisher, spy, reader] = await startApps(t, url, 'publisher', 'spy', 'reader');
      await publisher.run(publishPrices);
      await reader.run(follow, 'MSFT');

      await assert.rejects(spy.run(follow, 'SECRET'), /not for you/);

      await publisher.run(({ kept }) => kept.stream.push({ price: 3 }));
      await reader.events.next('the price', ({ data }) => data?.price === 3);
      assert.deepEqual(await spy.emitted(), []);
    });

    test('the subscriber closes: the publisher is told', async (t) => {
      const { url } = await gateway.start(t);
      const [publisher, reader] = await startApps(t, url, 'publisher', 'reader');
      await publisher.run(publishPrices);
      await reader.run(follow, 'MSFT');
      await publisher.events.next('the subscriber', ({ added }) => added === 'MSFT');

      await reader.run(({ kept }) => kept.subscription.close());

      await publisher.events.next('its end', ({ removed }) => removed === 'MSFT');
      assert.equal(await publisher.run(({ kept }) => kept.stream.subscriptions().length), 0);
    });

    test('the subscriber is killed: the publisher is told', async (t) => {
      const { url } = await gateway.start(t);
      const [publisher, reader] = await startApps(t, url, 'publisher', 'reader');
      await publisher.run(publishPrices);
      await reader.run(follow, 'MSFT');
      await publisher.events.next('the subscriber', ({ added }) => added === 'MSFT');

      await reader.end('SIGKILL');

      await publisher.events.next('its end', ({ removed }) => removed === 'MSFT');
    });

    test('the publisher closes a branch: its subscribers are told, the others go on', async (t) => {
      const { url } = await gateway.start(t);
      const [publisher, microsoft, apple] = await startApps(t, url, 'publisher', 'microsoft', 'apple');
      await publisher.run(publishPrices);
      await microsoft.run(follow, 'MSFT');
      await apple.run(follow, 'AAPL');
      await publisher.events.until('both subscribers', (events) => events.length === 2);

      await publisher.run(({ kept }) => {
        kept.stream.branch('MSFT').close();
        kept.stream.push({ price: 4 });
      });

      await microsoft.events.next('its end', (event) => event === 'closed');
      await apple.events.next('the price', ({ data }) => data?.price === 4);
      assert.ok(!apple.events.all.includes('closed'));
    });

    test('the stream ends: every subscriber is told', async (t) => {
      const { url } = await gateway.start(t);
      const [publisher, reader] = await startApps(t, url, 'publisher', 'reader');
      await publisher.run(publishPrices);
      await reader.run(follow);
      await publisher.run(({ kept }) => kept.stream.close());
      await reader.events.next('its end', (event) => event === 'closed');
    });
  });
}
