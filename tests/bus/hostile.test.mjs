// What no library would send: it costs the sender its connection or an error, and nobody else anything.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ours } from '../support/gateways.mjs';
import { joinWire, openWire } from '../support/wire.mjs';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {import('../support/wire.mjs').WirePeer} WirePeer */

/**
 * Two peers at work on a gateway: one serves `Echo`, the other calls it.
 *
 * @param {TestContext} t
 */
async function bystanders(t) {
  const { url } = await ours.start(t);
  const server = await joinWire(t, url, 'server');
  await server.register([{ id: '0', name: 'Echo', flags: { metadata: {}, streaming: false } }]);
  server.socket.on('message', (data) => {
    const { type, invocation_id, arguments_kv } = JSON.parse(data.toString());
    if (type === 'invoke') server.send({ type: 'yield', domain: 'agm', invocation_id, result: arguments_kv });
  });
  const caller = await joinWire(t, url, 'caller');
  const carryOn = async () => {
    const answer = await caller.request({
      type: 'call',
      domain: 'agm',
      server_id: server.peerId,
      method_id: '0',
      arguments_kv: { still: 'here' },
    });
    assert.deepEqual(answer.result, { still: 'here' });
  };
  return { url, carryOn };
}

describe('frames that end the connection of their sender', () => {
  for (const { what, frame, code } of [
    { what: 'text that is not JSON', frame: '{"type":"hello",', code: 1007 },
    { what: 'a binary message', frame: Buffer.from([1, 2, 3]), code: 1003 },
    { what: 'a message over the limit', frame: JSON.stringify({ type: 'ping', pad: 'x'.repeat(5 << 20) }), code: 1009 },
  ]) {
    test(`${what}: ${code}, with a reason`, async (t) => {
      const { url, carryOn } = await bystanders(t);
      const sender = await joinWire(t, url, 'sender');
      sender.socket.send(frame);
      const closed = await sender.closed;
      assert.equal(closed.code, code);
      assert.notEqual(closed.reason, '');
      await carryOn();
    });
  }
});

describe('frames that are answered with an error', () => {
  for (const { what, frame } of [
    { what: 'a type that does not exist', frame: { type: 'no-such-type', domain: 'agm' } },
    { what: 'a domain that does not exist', frame: { type: 'join', domain: 'global', destination: 'nowhere' } },
    { what: 'a call of a server that is not there', frame: { type: 'call', domain: 'agm', server_id: 'p-0', method_id: '0' } },
    { what: 'a method without a name', frame: { type: 'register', domain: 'agm', methods: [{ id: '9' }] } },
    { what: 'somebody else’s peer id', frame: { type: 'create-token', domain: 'global', peer_id: 'p-0' } },
    { what: 'a field of the wrong type', frame: { type: 'register', domain: 'agm', methods: 'all of them' } },
  ]) {
    test(what, async (t) => {
      const { url, carryOn } = await bystanders(t);
      const sender = await joinWire(t, url, 'sender');
      const reply = await sender.request(frame);
      assert.equal(reply.type, 'error');
      assert.match(reply.reason_uri, /errors/);
      assert.notEqual(reply.reason, '');
      assert.equal((await sender.request({ type: 'create-token', domain: 'global' })).type, 'token', 'the sender goes on');
      await carryOn();
    });
  }

  test('a nest of arrays deeper than any stack', async (t) => {
    const { url, carryOn } = await bystanders(t);
    const sender = await openWire(t, url);
    sender.socket.send(`{"type":"hello","request_id":"deep","identity":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    const answered = sender.frames.next('an error', ({ type }) => type === 'error').then(() => {});
    await Promise.race([answered, sender.closed]);
    await carryOn();
  });
});

describe('peers that stop half-way', () => {
  test('many sockets that never say hello do not keep others out', async (t) => {
    const { url, carryOn } = await bystanders(t);
    await Promise.all(Array.from({ length: 200 }, () => openWire(t, url)));
    await carryOn();
    const late = await joinWire(t, url, 'late');
    assert.notEqual(late.peerId, '');
  });
});
