// Shared contexts: what one application sets, another sees.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp, startApps } from '../support/app.mjs';
import { gateways } from '../support/gateways.mjs';

/** @typedef {import('../support/app.mjs').Inside} Inside */

/**
 * Emits each state of the context `selection`.
 *
 * @param {Inside} inside
 */
async function watch({ io, emit, kept }) {
  kept.unsubscribe = await io.contexts.subscribe('selection', (data, _delta, removed) => emit({ data, removed }));
}

/** @param {any} data */
const shows = (data) => (/** @type {any} */ event) => JSON.stringify(event.data) === JSON.stringify(data);

for (const gateway of gateways) {
  describe(`contexts over ${gateway.name}`, () => {
    test('set, update, setPath and setPaths arrive as they were meant', async (t) => {
      const { url } = await gateway.start(t);
      const [writer, reader] = await startApps(t, url, 'writer', 'reader');
      await writer.run(({ io }) => io.contexts.set('selection', { client: { id: 'C-1', tags: [1, 2] }, page: 1 }));
      await reader.run(watch);
      await reader.events.next('the snapshot', shows({ client: { id: 'C-1', tags: [1, 2] }, page: 1 }));

      await writer.run(({ io }) => io.contexts.update('selection', { page: 2, extra: true }));
      await reader.events.next('the update', shows({ client: { id: 'C-1', tags: [1, 2] }, page: 2, extra: true }));

      await writer.run(({ io }) => io.contexts.setPath('selection', 'client.name', 'Ada'));
      await reader.events.next('the path', ({ data }) => data.client.name === 'Ada' && data.client.id === 'C-1');

      await writer.run(({ io }) =>
        io.contexts.setPaths('selection', [
          { path: 'client.tags', value: [3] },
          { path: 'new.deep', value: 'x' },
        ]),
      );
      await reader.events.next('the paths', ({ data }) => data.new?.deep === 'x' && data.client.tags[0] === 3);

      await writer.run(({ io }) => io.contexts.update('selection', { extra: null }));
      const removal = await reader.events.next('the removal', ({ data }) => !('extra' in data));
      assert.deepEqual(removal.removed, ['extra']);

      await writer.run(({ io }) => io.contexts.set('selection', { only: 'this' }));
      await reader.events.next('the replacement', shows({ only: 'this' }));
    });

    test('both sides write one context, a latecomer reads the sum', async (t) => {
      const { url } = await gateway.start(t);
      const [left, right] = await startApps(t, url, 'left', 'right');
      await left.run(watch);
      await left.run(({ io }) => io.contexts.update('selection', { left: 1 }));
      await right.run(watch); // who updates a context that it does not know of would create it anew
      await right.events.next('the first side', shows({ left: 1 }));
      await right.run(({ io }) => io.contexts.update('selection', { right: 2 }));
      await left.events.next('the other side', ({ data }) => data.left === 1 && data.right === 2);

      const late = await startApp(t, url, 'late');
      assert.deepEqual(await late.run(({ io }) => io.contexts.get('selection')), { left: 1, right: 2 });
      assert.ok((await late.run(({ io }) => io.contexts.all())).includes('selection'));
    });

    test('an unsubscribed reader hears no more', async (t) => {
      const { url } = await gateway.start(t);
      const [writer, reader, witness] = await startApps(t, url, 'writer', 'reader', 'witness');
      await writer.run(({ io }) => io.contexts.set('selection', { n: 1 }));
      await reader.run(watch);
      await witness.run(watch);
      await reader.events.next('the snapshot', shows({ n: 1 }));
      await reader.run(({ kept }) => kept.unsubscribe());

      await writer.run(({ io }) => io.contexts.set('selection', { n: 2 }));

      await witness.events.next('the change', shows({ n: 2 }));
      await reader.run(({ io }) => io.contexts.update('other', { round: 'trip' })); // all that was sent before has arrived
      assert.deepEqual(reader.events.all.map(({ data }) => data), [{ n: 1 }]);
    });

    test('a context outlives its writer, and ends when it is destroyed', async (t) => {
      const { url } = await gateway.start(t);
      const writer = await startApp(t, url, 'writer');
      await writer.run(({ io }) => io.contexts.set('selection', { kept: true }));
      await writer.end('SIGKILL');
      const reader = await startApp(t, url, 'reader');
      assert.deepEqual(await reader.run(({ io }) => io.contexts.get('selection')), { kept: true });

      await reader.run(({ io }) => io.contexts.destroy('selection'));

      const late = await startApp(t, url, 'late');
      assert.ok(!(await late.run(({ io }) => io.contexts.all())).includes('selection'));
    });
  });
}
