// Who gets in, and as whom.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.mjs';
import { gateways } from '../support/gateways.mjs';

for (const gateway of gateways) {
  describe(`login to ${gateway.name}`, () => {
    test('a token that one application asks for lets another in, as the same user', async (t) => {
      const { url } = await gateway.start(t);
      const first = await startApp(t, url, 'first');
      await first.run(({ io }) => io.interop.register('First.Here', () => ({ here: true })));
      const token = await first.run(({ io }) => io.connection.authToken());

      const second = await startApp(t, url, 'second', { auth: { gatewayToken: token } });

      const [mine, theirs] = await Promise.all([first, second].map((app) => app.run(({ io }) => io.interop.instance.user)));
      assert.equal(theirs, mine);
      assert.deepEqual(await second.run(async ({ io }) => (await io.interop.invoke('First.Here')).returned), { here: true });
    });

    test('a token that was not issued is refused, with the reason', async (t) => {
      const { url } = await gateway.start(t);
      await assert.rejects(startApp(t, url, 'intruder', { auth: { gatewayToken: 'forged' } }), /token/i);
    });

    test('an application started by the platform takes the identity it was given', async (t) => {
      const { url } = await gateway.start(t);
      const platform = await startApp(t, url, 'platform');
      const gwToken = await platform.run(({ io }) => io.connection.authToken());
      const context = {
        gwURL: url,
        gwToken,
        instanceId: 'instance-7',
        env: 'TEST',
        region: 'HOME',
        applicationConfig: { name: 'launched' },
      };

      const launched = await startApp(
        t,
        'ws://127.0.0.1:1/never-used',
        'ignored',
        { auth: undefined, application: undefined, gateway: undefined },
        { _GD_STARTING_CONTEXT_: JSON.stringify(context) },
      );

      const identity = await launched.run(({ io }) => {
        const { application, applicationName, instance, environment, region } = /** @type {any} */ (io.interop.instance);
        return { application, applicationName, instance, environment, region };
      });
      assert.deepEqual(identity, {
        application: 'launched',
        applicationName: 'launched',
        instance: 'instance-7',
        environment: 'TEST',
        region: 'HOME',
      });
    });
  });
}
