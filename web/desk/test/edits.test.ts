// Edits one after the other, and taking a frame.

import { describe, expect, test } from 'vitest';
import { Refusal, refusalOf } from '../src/bus/port.ts';
import type { Port } from '../src/bus/port.ts';
import { keepConnected, PAUSES } from '../src/bus/connection.ts';
import { attach } from '../src/desktop/attach.ts';
import { createEdits } from '../src/desktop/edits.ts';
import type { Workspace } from '../src/desktop/model.ts';

const W = { id: 'w', rev: 9, frameId: 'f', tree: { children: [] } };

/** A platform whose answers are given by hand. */
function platform(rev: number) {
  const asked: { given: Record<string, unknown>; answer: (value: unknown) => void; refuse: (error: unknown) => void }[] = [];
  const stale: Workspace[] = [];
  const state = { rev };
  const propose = createEdits({
    call: (_, given) => new Promise((answer, refuse) => asked.push({ given: given as Record<string, unknown>, answer, refuse })),
    revisionOf: () => state.rev,
    stale: (workspace) => stale.push(workspace),
  });
  const next = async (count: number) => {
    for (let turns = 0; asked.length < count && turns < 20; turns += 1) await Promise.resolve();
    const one = asked[count - 1];
    if (one === undefined) throw new Error('nothing was asked');
    return one;
  };
  return { asked, stale, state, propose, next };
}

describe('an edit', () => {
  test('names the revision that the person saw', async () => {
    const { propose, next } = platform(4);
    const done = propose('w', { op: 'restore' });
    const { given, answer } = await next(1);
    expect(given).toEqual({ workspaceId: 'w', baseRev: 4, op: { op: 'restore' } });
    answer({ status: 'applied', rev: 5 });
    expect(await done).toBe(true);
  });

  test('that is made before the one before is answered builds on that', async () => {
    const { propose, next, asked } = platform(4);
    const [first, second] = [propose('w', { op: 'restore' }), propose('w', { op: 'select-workspace' })];
    const one = await next(1);
    expect(asked.length).toBe(1);
    one.answer({ status: 'applied', rev: 5 });
    const two = await next(2);
    expect(two.given['baseRev']).toBe(5);
    two.answer({ status: 'applied', rev: 6 });
    expect(await Promise.all([first, second])).toEqual([true, true]);
  });

  test('that is stale takes the truth, is not proposed again, and takes those behind it along', async () => {
    const { propose, next, asked, stale } = platform(4);
    const [first, second] = [propose('w', { op: 'restore' }), propose('w', { op: 'select-workspace' })];
    (await next(1)).answer({ status: 'stale', workspace: W });
    expect(await Promise.all([first, second])).toEqual([false, false]);
    expect(asked.length).toBe(1);
    expect(stale.map(({ rev }) => rev)).toEqual([9]);
  });

  test('that is refused says why; the next is its own', async () => {
    const { propose, next } = platform(4);
    const refused = propose('w', { op: 'restore' });
    (await next(1)).refuse(new Refusal('not-yours', 'it is on another page'));
    await expect(refused).rejects.toThrow('it is on another page');
    const done = propose('w', { op: 'restore' });
    (await next(2)).answer({ status: 'applied', rev: 5 });
    expect(await done).toBe(true);
  });
});

describe('a frame', () => {
  const memory = (id?: string) => {
    const kept = { id };
    return { kept, read: () => kept.id, write: (next: string) => void (kept.id = next) };
  };
  const port = (answers: (given: Record<string, unknown>) => unknown): Port & { asked: object[] } => {
    const asked: object[] = [];
    const call = async (_: string, given: object): Promise<unknown> => {
      asked.push(given);
      return answers(given as Record<string, unknown>);
    };
    return { asked, call } as unknown as Port & { asked: object[] };
  };
  const taken = (): never => {
    throw new Refusal('frame-taken', 'somebody has it');
  };
  const options = { windows: [], pause: async () => undefined };

  test('is the one that the tab had', async () => {
    const kept = memory('mine');
    expect(await attach(port(({ frameId }) => ({ frameId })), { ...options, memory: kept })).toBe('mine');
  });
  test('is another where a second tab has it', async () => {
    const kept = memory('mine');
    const answers = port(({ frameId }) => (frameId === undefined ? { frameId: 'new' } : taken()));
    expect(await attach(answers, { ...options, memory: kept })).toBe('new');
    expect(kept.kept.id).toBe('new');
  });
  test('that was ours a moment ago is waited for, with the pages that run', async () => {
    let left = 3;
    const windows = [{ windowId: 'w', instanceId: 'i', gatewayToken: 't' }];
    const answers = port(({ frameId }) => (left-- > 0 ? taken() : { frameId }));
    expect(await attach(answers, { ...options, windows, memory: memory('mine') })).toBe('mine');
    expect(answers.asked.at(-1)).toEqual({ frameId: 'mine', windows });
  });
  test('is asked for anew where what is remembered is no id', async () => {
    const answers = port(({ frameId }) => {
      if (frameId !== undefined) throw new Refusal('bad-arguments', 'no id');
      return { frameId: 'new' };
    });
    expect(await attach(answers, { ...options, memory: memory('§') })).toBe('new');
  });
});

test('a refusal is its code and its words', () => {
  expect(refusalOf({ message: 'frame-taken: somebody has it' })).toMatchObject({ code: 'frame-taken', message: 'somebody has it' });
  expect(refusalOf({ message: 'No method found' })).toMatchObject({ code: 'refused', message: 'No method found' });
  expect(refusalOf(undefined).message).toContain('without a reason');
});

test('a connection is opened again for ever, later each time, and at once when it was there', async () => {
  const said: string[] = [];
  const pauses: number[] = [];
  let [again, isThere]: [() => void, boolean] = [() => undefined, false];
  let ended = (): void => undefined;
  const turn = async (): Promise<void> => {
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  };
  const connection = keepConnected({
    reachable: async () => isThere,
    open: async (end) => {
      ended = end;
      return { close: () => undefined } as unknown as Port;
    },
    up: () => said.push('up'),
    down: () => said.push('down'),
    later: (ms, work) => {
      pauses.push(ms);
      again = work;
      return () => undefined;
    },
  });
  await turn();
  for (let count = 0; count < 8; count += 1) {
    again();
    await turn();
  }
  expect(pauses).toEqual([...PAUSES, ...Array.from({ length: 9 - PAUSES.length }, () => PAUSES.at(-1))]);
  isThere = true;
  connection.hurry();
  await turn();
  ended();
  again();
  await turn();
  expect(said.slice(9)).toEqual(['up', 'down', 'up']);
  expect(pauses.at(-1)).toBe(PAUSES[0]);
});
