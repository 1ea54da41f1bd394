// What the status line says, and what of it is read out.

import { describe, expect, test } from 'vitest';
import { isPressed, keysOf } from '../src/ui/keys.ts';
import { announcement, count, hidden, hiddenDetail } from '../src/status/words.ts';

const up = { connection: { state: 'up' } } as const;
const connecting = { connection: { state: 'connecting' } } as const;
const down = { connection: { state: 'down', since: 0, reason: 'the server stopped' } } as const;

describe('read out', () => {
  test.each([
    ['it goes', up, down, 'The bus is down: the server stopped'],
    ['it comes back', down, up, 'The bus is back.'],
    ['it tries', down, connecting, undefined],
    ['it is there for the first time', connecting, up, undefined],
    ['nothing', up, up, undefined],
    ['saved', { ...up, savedAt: 1 }, { ...up, savedAt: 1 }, undefined],
  ])('%s', (_, before, now, said) => {
    expect(announcement(before, now)).toBe(said);
  });

  test('that something was saved, once', () => {
    expect(announcement(up, { ...up, savedAt: 1 })).toMatch(/^Saved at /);
  });
});

test('counts', () => {
  expect(count(1, 'peer')).toBe('1 peer');
  expect(count(0, 'peer')).toBe('0 peers');
  const status = { version: '1', peers: 1, tools: { visible: 4, withheld: 2 }, leftOut: 3, revision: '' };
  expect(hidden(status)).toBe(5);
  expect(hiddenDetail(status)).toBe('2 tools withheld, 3 left out of search');
});

describe('keys', () => {
  const press = (key: string, ...held: readonly string[]) => ({
    key,
    ctrlKey: held.includes('ctrl'),
    metaKey: held.includes('meta'),
    shiftKey: held.includes('shift'),
    altKey: held.includes('alt'),
  });

  test.each([
    ['mod+k', press('k', 'ctrl'), false, true],
    ['mod+k', press('k', 'meta'), false, false],
    ['mod+k', press('k', 'meta'), true, true],
    ['mod+k', press('k'), false, false],
    ['mod+s', press('S', 'ctrl', 'shift'), false, false],
    ['mod+shift+s', press('S', 'ctrl', 'shift'), false, true],
    ['?', press('?', 'shift'), false, true],
    ['?', press('?', 'ctrl', 'shift'), false, false],
    ['escape', press('Escape'), false, true],
  ])('%s by %o', (keys, pressed, apple, is) => {
    expect(isPressed(keys, pressed, apple)).toBe(is);
  });

  test('are written as on the keyboard', () => {
    expect(keysOf('mod+shift+s', false)).toEqual(['Ctrl', 'Shift', 'S']);
    expect(keysOf('mod+shift+s', true)).toEqual(['⌘', '⇧', 'S']);
  });
});
