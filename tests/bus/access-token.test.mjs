// Access tokens that somebody else signed, such as a single sign-on of the firm.

import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.mjs';
import { startDeskwire } from '../support/deskwire.mjs';

const SECRET = 'a secret that the firm shares with the server';
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (/** @type {import('node:crypto').KeyObject} */ key) => String(key.export({ type: 'spki', format: 'pem' }));

const CONFIG = {
  gateway: {
    auth: {
      jwt: {
        keys: [
          { algorithm: 'HS256', secret: SECRET },
          { algorithm: 'ES256', publicKey: pem(ec.publicKey) },
          { algorithm: 'RS256', publicKey: pem(rsa.publicKey) },
        ],
      },
    },
  },
};

const hour = () => Math.floor(Date.now() / 1000) + 3600;

/** @type {Record<string, (input: string) => Buffer>} */
const SIGNERS = {
  HS256: (input) => createHmac('sha256', SECRET).update(input).digest(),
  ES256: (input) => sign('sha256', Buffer.from(input), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
  RS256: (input) => sign('sha256', Buffer.from(input), rsa.privateKey),
};

/**
 * @param {string} alg
 * @param {object} claims
 * @param {(input: string) => Buffer} [signer]
 */
function token(alg, claims, signer = SIGNERS[alg]) {
  const part = (/** @type {object} */ value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${part({ alg, typ: 'JWT' })}.${part(claims)}`;
  return `${input}.${signer(input).toString('base64url')}`;
}

describe('an access token', () => {
  for (const alg of Object.keys(SIGNERS)) {
    test(`signed by ${alg} lets an application in`, async (t) => {
      const desk = await startDeskwire(t, { config: CONFIG });
      const auth = { token: token(alg, { sub: 'ada', exp: hour() }) };
      const app = await startApp(t, desk.gateway, 'app', { auth });
      await app.run(({ io }) => io.interop.register('App.Here', () => ({ here: true })));
      const returned = await app.run(async ({ io }) => (await io.interop.invoke('App.Here')).returned);
      assert.deepEqual(returned, { here: true });
    });
  }

  test('that is expired, forged, unsigned, or signed with another algorithm is refused, with the reason', async (t) => {
    const desk = await startDeskwire(t, { config: CONFIG });
    const claims = { sub: 'ada', exp: hour() };
    const publicAsSecret = (/** @type {string} */ input) => createHmac('sha256', pem(rsa.publicKey)).update(input).digest();
    for (const bad of [
      token('HS256', { sub: 'ada', exp: hour() - 7200 }),
      token('HS256', claims, (input) => createHmac('sha256', 'another').update(input).digest()),
      token('HS256', claims, publicAsSecret),
      token('none', claims, () => Buffer.alloc(0)),
      token('ES256', claims, SIGNERS.HS256),
      'no.token.at-all',
    ]) {
      await assert.rejects(startApp(t, desk.gateway, 'intruder', { auth: { token: bad } }), /token/i, bad);
    }
  });

  test('is no use without a key', async (t) => {
    const desk = await startDeskwire(t);
    const auth = { token: token('HS256', { sub: 'ada', exp: hour() }) };
    await assert.rejects(startApp(t, desk.gateway, 'intruder', { auth }), /token/i);
  });
});
