// One page in a window, from what it is told to what is done.

import { describe, expect, test } from 'vitest';
import { coverOf } from '../src/windows/cover.ts';
import { EMPTY, step } from '../src/windows/page.ts';
import type { Effect, PageEvent, PageState, Ticket, Trouble } from '../src/windows/page.ts';

const ticket = (instanceId = 'i1', url = 'http://app.test/page'): Ticket => ({
  instanceId,
  application: 'clients',
  url,
  gatewayUrl: 'ws://desk.test/gw',
  gatewayToken: 'secret',
  startingContext: {},
});
const told = (state: 'waiting' | 'loading' | 'ready' | 'failed' | 'missing', instanceId?: string, reason?: string): PageEvent => ({
  type: 'told',
  facts: { state, instanceId, reason },
});
const given = (instanceId?: string, url?: string): PageEvent => ({ type: 'ticket', ticket: ticket(instanceId, url) });
const time = (timer: 'late' | 'slow' | 'unheard' | 'again'): PageEvent => ({ type: 'time', timer });
const unreachable: Trouble = { kind: 'unreachable', reason: 'its page refused the connection', fix: 'start it' };
const down: PageEvent = { type: 'probed', probe: { ok: false, trouble: unreachable } };
const fine: PageEvent = { type: 'probed', probe: { ok: true } };
const silent: PageEvent = { type: 'probed', probe: undefined };
const hello: PageEvent = { type: 'hello' };
const loaded: PageEvent = { type: 'loaded' };
const gone: PageEvent = { type: 'disconnected' };

/** What is done at the last event, in short; and the state then. */
function run(events: readonly PageEvent[]): { does: string[]; state: PageState } {
  let [state, effects]: [PageState, readonly Effect[]] = [EMPTY, []];
  for (const event of events) ({ state, effects } = step(state, event));
  return { does: effects.map(short), state };
}

function short(effect: Effect): string {
  const rest = Object.entries(effect).filter(([key]) => key !== 'do').map(([, value]) => value);
  return [effect.do, ...rest].join(' ');
}

const up = [told('loading', 'i1'), given(), hello, loaded, told('ready', 'i1')];
const calm = ['calm', 'report loaded'];

describe('a page', () => {
  test.each<[string, PageEvent[], string, string[]]>([
    ['asks for a ticket when an instance is there', [told('loading', 'i1')], 'asking', ['ask i1', 'wait late 400']],
    ['asks once for it', [told('loading', 'i1'), told('ready', 'i1')], 'asking', []],
    ['is loaded with its ticket', [told('loading', 'i1'), given()], 'loading', ['calm', 'navigate http://app.test/page', 'wait late 400', 'wait slow 10000']],
    ['takes no ticket of another instance', [told('loading', 'i2'), given('i1')], 'asking', []],
    ['is there when it says hello', [told('loading', 'i1'), given(), hello], 'there', calm],
    ['is waited for when it has loaded and said nothing', [told('loading', 'i1'), given(), loaded], 'loading', ['wait unheard 300']],
    ['is looked into when it goes on saying nothing', [told('loading', 'i1'), given(), loaded, time('unheard')], 'loading', ['probe']],
    ['is there when nothing is wrong with it', [told('loading', 'i1'), given(), loaded, time('unheard'), fine], 'there', calm],
    ['is there when the server cannot say', [told('loading', 'i1'), given(), loaded, time('unheard'), silent], 'there', calm],
    [
      'is down when nobody is there',
      [told('loading', 'i1'), given(), loaded, time('unheard'), down],
      'down',
      ['calm', 'report failed its page refused the connection', 'wait again 5000'],
    ],
    ['that spoke is not down, whatever the server found', [told('loading', 'i1'), given(), loaded, hello, down], 'there', []],
    ['is looked into when nothing came for long', [told('loading', 'i1'), given(), time('late'), time('slow')], 'loading', ['probe']],
    ['may still come after that', [told('loading', 'i1'), given(), time('late'), time('slow'), silent, hello], 'there', calm],
    ['stays down by what was found here', [told('loading', 'i1'), given(), loaded, down, told('failed', 'i1', 'x')], 'down', ['wait again 5000']],
    ['that is down is asked for again', [told('loading', 'i1'), given(), loaded, down, time('again')], 'down', ['probe']],
    ['… later each time', [told('loading', 'i1'), given(), loaded, down, time('again'), down], 'down', ['wait again 10000']],
    ['… is loaded where nobody can say', [told('loading', 'i1'), given(), loaded, down, time('again'), silent], 'down', ['calm', 'reload']],
    [
      '… and found down again, later',
      [told('loading', 'i1'), given(), loaded, down, time('again'), silent, told('loading', 'i2'), given('i2'), loaded, down],
      'down',
      ['calm', 'report failed its page refused the connection', 'wait again 10000'],
    ],
    ['… at once if the person wants', [told('loading', 'i1'), given(), loaded, down, { type: 'try-again' }], 'down', ['calm', 'reload']],
    ['… and comes back by itself', [told('loading', 'i1'), given(), loaded, down, time('again'), fine], 'down', ['calm', 'reload']],
    ['that is reloaded is loaded anew', [...up, told('loading', 'i2'), given('i2')], 'loading', ['calm', 'navigate http://app.test/page', 'wait late 400', 'wait slow 10000']],
    ['outlives a server that is away', [...up, gone], 'there', []],
    ['… is reported again when the frame is attached again', [...up, gone, told('loading', 'i1')], 'there', ['report loaded']],
    ['… is left alone when it is on the bus by itself', [...up, gone, told('ready', 'i1')], 'there', []],
    [
      '… is loaded anew when it is reloaded after that',
      [...up, gone, told('loading', 'i1'), told('ready', 'i1'), told('loading', 'i2'), given('i2')],
      'loading',
      ['calm', 'navigate http://app.test/page', 'wait late 400', 'wait slow 10000'],
    ],
    ['… is told who it is by another server', [...up, gone, told('loading', 'i2'), given('i2')], 'there', ['start', 'report loaded']],
    [
      '… is left alone where it never spoke',
      [told('loading', 'i1'), given(), loaded, fine, gone, told('loading', 'i2'), given('i2')],
      'there',
      ['report loaded'],
    ],
    [
      '… is loaded anew where its address is another now',
      [...up, gone, told('loading', 'i2'), given('i2', 'http://app.test/other')],
      'loading',
      ['calm', 'navigate http://app.test/other', 'wait late 400', 'wait slow 10000'],
    ],
    ['that was asked for in vain is asked for again', [told('loading', 'i1'), gone, told('loading', 'i1')], 'asking', ['ask i1', 'wait late 400']],
    ['goes when its workspace goes to sleep', [...up, told('waiting')], 'empty', ['calm', 'unload']],
    ['… and comes back when that wakes up', [...up, told('waiting'), told('loading', 'i2')], 'asking', ['ask i2', 'wait late 400']],
    ['is none where there is no application', [told('missing', undefined, 'no such')], 'down', ['calm', 'unload']],
    ['has failed when the platform says so', [...up, told('failed', undefined, 'it ended')], 'down', ['calm']],
    ['is shown all the same if the person wants', [told('loading', 'i1'), given(), loaded, down, { type: 'show-anyway' }], 'there', calm],
    ['says hello again after it was loaded by itself', [...up, hello], 'there', []],
    ['says no hello before there is one', [hello], 'empty', []],
  ])('%s', (_, events, stage, does) => {
    const ended = run(events);
    expect([ended.state.stage, ended.does]).toEqual([stage, does]);
  });
});

describe('a cover', () => {
  const cover = (...events: PageEvent[]) => coverOf(run(events).state, 'Clients');
  test.each<[string, PageEvent[], object | undefined]>([
    ['lies over nothing that is to be seen', [...up], undefined],
    ['says nothing at first', [told('loading', 'i1')], { kind: 'coming', title: '' }],
    ['says what loads when that is late', [told('loading', 'i1'), time('late')], { title: 'Loading Clients…', tryAgain: false }],
    ['says that it is slow, and from where', [told('loading', 'i1'), given(), time('late'), time('slow')], { title: 'Clients is slow', text: expect.stringContaining('app.test'), tryAgain: true }],
    ['says why it is down, and what to do', [told('loading', 'i1'), given(), loaded, down], { kind: 'down', title: 'Clients did not load', text: 'Its page refused the connection.', fix: 'Start it.', tryAgain: true }],
    ['does not flicker while it is tried again', [told('loading', 'i1'), given(), loaded, down, told('loading', 'i2'), given('i2')], { title: 'Clients did not load' }],
    ['says that it is tried again if the person wanted it', [told('loading', 'i1'), given(), loaded, down, { type: 'try-again' }], { title: 'Loading Clients…' }],
    ['says that it is asleep', [told('waiting')], { kind: 'asleep', title: 'Clients is asleep' }],
    ['says that there is no such application', [told('missing', undefined, 'no such application')], { title: 'There is no application Clients', text: 'No such application.' }],
    [
      'offers a tab of the browser to a page that wants no frame',
      [told('loading', 'i1'), given(), loaded, { type: 'probed', probe: { ok: false, trouble: { kind: 'framing', reason: 'X-Frame-Options' } } }],
      { elsewhere: 'http://app.test/page', showAnyway: false },
    ],
  ])('%s', (_, events, expected) => {
    if (expected === undefined) expect(cover(...events)).toBeUndefined();
    else expect(cover(...events)).toMatchObject(expected);
  });
});
