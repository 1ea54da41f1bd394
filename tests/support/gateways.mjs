// The buses that the bus tests run on: ours, and the original's open one, which says whether a test is fair.

import { fileURLToPath } from 'node:url';
import process from 'node:process';
import { startDeskwire } from './deskwire.mjs';
import { launch } from './process.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

/**
 * A running gateway.
 *
 * @typedef {object} Gateway
 * @property {string} url
 * @property {import('./process.mjs').Child} process
 * @property {() => Promise<Gateway>} restart starts it again on the same port, once it has ended
 */

/** @typedef {{ name: string, start: (t: TestContext) => Promise<Gateway> }} Kind */

const REFERENCE = fileURLToPath(new URL('gateway-web.mjs', import.meta.url));

/** @type {Kind} */
export const ours = {
  name: 'deskwire gateway',
  async start(t) {
    const asGateway = (/** @type {import('./deskwire.mjs').Deskwire} */ desk) => ({
      url: desk.gateway,
      process: desk.process,
      restart: async () => asGateway(await desk.restart()),
    });
    return asGateway(await startDeskwire(t, { command: 'gateway' }));
  },
};

/** @type {Kind} */
export const reference = {
  name: 'gateway-web',
  start: (t) => startReference(t, 0),
};

/**
 * @param {TestContext} t
 * @param {number} port
 * @returns {Promise<Gateway>}
 */
async function startReference(t, port) {
  const child = launch(t, process.execPath, [REFERENCE, String(port)]);
  const url = await child.alive('it listened', child.stdout.next('the URL on stdout'));
  return { url, process: child, restart: () => startReference(t, Number(new URL(url).port)) };
}

/** `DESKWIRE_TEST_BUS=reference` tries the tests alone, `ours` the product alone; both by default. */
export const gateways = { ours: [ours], reference: [reference] }[process.env.DESKWIRE_TEST_BUS ?? ''] ?? [ours, reference];
