// What may come from a page, and what may be loaded as one.

import { describe, expect, test } from 'vitest';
import { countHello, HELLOS_PER_SECOND, isHello, MAX_TITLE, readTitle } from '../src/windows/handshake.ts';
import { checkAddress, readProbe, readTicket } from '../src/windows/ticket.ts';

describe('a hello', () => {
  test.each([
    [{ deskwire: 1, type: 'hello' }, true],
    [{ deskwire: 1, type: 'hello', more: 1 }, true],
    [{ deskwire: 2, type: 'hello' }, false],
    [{ deskwire: '1', type: 'hello' }, false],
    [{ type: 'hello' }, false],
    ['hello', false],
    [null, false],
    [[1], false],
  ])('%j: %s', (data, is) => expect(isHello(data)).toBe(is));

  test('is answered so often in a second, and again in the next', () => {
    let times: readonly number[] = [];
    for (let count = 0; count < HELLOS_PER_SECOND; count += 1) times = countHello(times, 1_000 + count) ?? [];
    expect(times.length).toBe(HELLOS_PER_SECOND);
    expect(countHello(times, 1_900)).toBeUndefined();
    expect(countHello(times, 2_000)).toEqual([...times.slice(1), 2_000]);
  });
});

describe('a title', () => {
  test.each([
    [{ type: 'title', title: ' Clients\n\tof  May ' }, 'Clients of May'],
    [{ type: 'title', title: '\u202eevil\u0000' }, 'evil'],
    [{ type: 'title', title: '   ' }, undefined],
    [{ type: 'title', title: 7 }, undefined],
    [{ type: 'start', title: 'x' }, undefined],
    [null, undefined],
  ])('%j: %s', (data, title) => expect(readTitle(data)).toBe(title));

  test('is cut where it is too long, between characters', () => {
    expect(Array.from(readTitle({ type: 'title', title: '😀'.repeat(300) }) ?? '')).toHaveLength(MAX_TITLE);
  });
});

describe('an address', () => {
  const own = 'http://127.0.0.1:4111';
  test.each([
    ['http://app.test/x', true],
    ['https://app.test', true],
    ['javascript:alert(1)', false],
    ['JavaScript:alert(1)', false],
    ['data:text/html,x', false],
    ['blob:http://app.test/1', false],
    ['about:blank', false],
    ['file:///etc/passwd', false],
    ['/relative', false],
    ['', false],
    [`${own}/index.html`, false],
    ['http://127.0.0.1:4112/', true],
  ])('%s: %s', (address, ok) => expect(checkAddress(address, own).ok).toBe(ok));
});

describe('a ticket', () => {
  const whole = { instanceId: 'i', application: 'a', url: 'http://a.test/', gatewayUrl: 'ws://d/gw', gatewayToken: 't', startingContext: { id: 7 } };
  test('is taken as it is', () => {
    expect(readTicket({ ...whole, workspaceId: 'w', more: 1 }, 'http://d')).toEqual({ ok: true, ticket: { ...whole, workspaceId: 'w' } });
  });
  test.each(['instanceId', 'application', 'url', 'gatewayUrl', 'gatewayToken'])('is none without %s', (key) => {
    for (const odd of [undefined, 7, null, '']) expect(readTicket({ ...whole, [key]: odd }, 'http://d').ok).toBe(false);
  });
  test.each([undefined, null, 'x', [1]])('is not made of %j', (odd) => expect(readTicket(odd, 'http://d').ok).toBe(false));
});

test('a probe that says nothing is none', () => {
  expect(readProbe({ ok: true })).toEqual({ ok: true });
  expect(readProbe({ ok: false, code: 'framing', reason: 'r' })).toMatchObject({ ok: false, trouble: { kind: 'framing', reason: 'r' } });
  for (const odd of [undefined, {}, { ok: 1 }, { ok: false, code: 'constructor' }, { ok: false }]) expect(readProbe(odd)).toBeUndefined();
});
