import { describe, expect, test } from 'vitest';
import { apply, aria, counter, definition, ENGLISH, nameOf, pickUp, press, putBack, RESTING } from '../src/index.ts';
import type { Focus, KeyboardState, Outcome, Place, Spoken, Subject, Tree } from '../src/index.ts';
import { sceneOf, treeOf } from './support.ts';

const tree = treeOf({ row: ['a', { column: [{ group: ['b', 'c'], id: 'g' }, 'd'], id: 'k' }], id: 'r' });

function spokenOf(of: Tree, rtl = false): Spoken {
  return { scene: sceneOf(of, 1004, 604, { rtl }), texts: ENGLISH, name: nameOf };
}

const spoken = spokenOf(tree);
const onTab = (id: string): Focus => ({ on: 'tab', id });

/** Presses keys one after the other; `+` before a key is Shift. */
function type(keys: string[], focus: Focus, of = spoken): Outcome {
  let outcome: Outcome = { state: RESTING };
  for (const key of keys) {
    const shift = key.startsWith('+');
    const next = press(outcome.state, { key: shift ? key.slice(1) : key, shift }, outcome.focus ?? focus, of);
    if (next === undefined) throw new Error(`${key} does nothing`);
    outcome = next;
  }
  return outcome;
}

describe('carrying', () => {
  test.each<[string[], Place]>([
    [['ArrowRight'], { at: 'edge', side: 'right' }],
    [['ArrowRight', 'ArrowLeft'], { at: 'beside', target: 'g', side: 'right' }],
    [['+ArrowDown'], { at: 'edge', side: 'bottom' }],
    [['Tab'], { at: 'stack', target: 'g' }],
    [['Tab', 'Tab'], { at: 'stack', target: 'd' }],
    [['+Tab'], { at: 'stack', target: 'd' }],
    [['Tab', 'ArrowDown'], { at: 'beside', target: 'g', side: 'bottom' }],
    [['Tab', 'ArrowDown', 'ArrowDown'], { at: 'beside', target: 'd', side: 'top' }],
    [['Tab', 'ArrowDown', 'ArrowDown', 'ArrowDown'], { at: 'stack', target: 'd' }],
  ])('%j goes to %o', (keys, place) => {
    const steps = keys[0] === 'ArrowRight' ? ['+ArrowRight', ...keys.slice(1)] : keys;
    expect(type(['Enter', ...steps, 'Enter'], onTab('a'))).toMatchObject({
      state: RESTING,
      edit: { op: 'move', item: 'a', place },
      focus: onTab('a'),
    });
  });

  test('passes over places that are refused', () => {
    // All zones of its own pane would put it beside or into itself.
    expect(type(['Enter', 'ArrowRight', 'Enter'], onTab('a')).edit).toMatchObject({
      place: { at: 'beside', target: 'g', side: 'left' },
    });
  });

  test('reaches every pane and every edge that a pointer reaches', () => {
    const seen = new Set<string>();
    const open: KeyboardState[] = [pickUp({ from: 'outside', item: { type: 'window', id: 'n', appName: 'N' }, name: 'N' }, spoken).state];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Tab']) {
        const next = press(state, { key, shift: false }, onTab('a'), spoken)?.state;
        if (next?.mode !== 'carrying' || seen.has(JSON.stringify(next.hit))) continue;
        seen.add(JSON.stringify(next.hit));
        open.push(next);
      }
    }
    expect(seen.size).toBe(3 * 5 + 4);
  });

  test('says what happens, in a sentence each time', () => {
    expect(type(['Enter'], onTab('a')).say).toBe(
      'Picked up A. Choose a place with the arrow keys; Enter drops, Escape puts it back.',
    );
    expect(type(['Enter', 'Tab'], onTab('a')).say).toBe('A: as a tab of B');
    expect(type(['Enter', '+ArrowLeft'], onTab('b')).say).toBe('B: full height, left');
    expect(type(['Enter', 'Tab', 'Enter'], onTab('a')).say).toBe('Dropped A as a tab of B.');
    expect(type(['Enter', 'Escape'], onTab('a'))).toMatchObject({ state: RESTING, say: 'A is back where it was.' });
    expect(type(['Enter', '+ArrowRight', 'ArrowRight'], onTab('a')).say).toBe('Nothing further in this direction.');
  });

  test('drops nothing before a place was chosen', () => {
    expect(type(['Enter', 'Enter'], onTab('a'))).toMatchObject({ state: RESTING, say: 'A is back where it was.' });
    expect(type(['Enter', 'Enter'], onTab('a')).edit).toBeUndefined();
  });

  test('brings something new to an empty canvas', () => {
    const empty = spokenOf(treeOf());
    const item: Subject = { from: 'outside', item: { type: 'window', id: 'n', appName: 'N' }, name: 'N' };
    const { state } = pickUp(item, empty);
    expect(press(state, { key: 'Enter', shift: false }, onTab(''), empty)?.edit).toMatchObject({ op: 'insert', place: { at: 'into' } });
    expect(putBack(state, empty)).toMatchObject({ state: RESTING, focus: undefined });
  });
});

describe('tabs', () => {
  test.each<[string, string, Outcome['edit'], Focus | undefined]>([
    ['ArrowRight', 'b', { op: 'select', item: 'c' }, onTab('c')],
    ['ArrowLeft', 'b', undefined, onTab('a')],
    ['ArrowDown', 'b', undefined, onTab('d')],
    ['ArrowUp', 'd', undefined, onTab('b')],
    ['End', 'b', { op: 'select', item: 'c' }, onTab('c')],
    ['Home', 'b', undefined, onTab('b')],
    ['+ArrowRight', 'b', { op: 'reorder', item: 'b', index: 1 }, onTab('b')],
    ['Delete', 'b', { op: 'remove', item: 'b' }, onTab('c')],
    ['Delete', 'd', { op: 'remove', item: 'd' }, onTab('b')],
    ['F6', 'a', undefined, onTab('b')],
    ['+F6', 'a', undefined, onTab('d')],
    [' ', 'c', { op: 'select', item: 'c' }, onTab('c')],
  ])('%s on %s', (key, id, edit, focus) => {
    const outcome = type([key], onTab(id));
    expect(outcome.edit).toEqual(edit);
    expect(outcome.focus).toEqual(focus);
  });

  test('F2 asks for another name', () => {
    expect(type(['F2'], onTab('b'))).toEqual({ state: RESTING, rename: 'b' });
  });

  test('run from the right in right-to-left, and panes do not', () => {
    const rtl = spokenOf(tree, true);
    expect(type(['ArrowLeft'], onTab('b'), rtl).edit).toEqual({ op: 'select', item: 'c' });
    expect(type(['ArrowRight'], onTab('a'), rtl).focus).toEqual(onTab('b'));
  });

  test('leave keys alone that are not theirs', () => {
    expect(press(RESTING, { key: 'x', shift: false }, onTab('a'), spoken)).toBeUndefined();
    expect(press(RESTING, { key: 'Escape', shift: false }, onTab('a'), spoken)).toBeUndefined();
  });
});

describe('splitters', () => {
  const focus: Focus = { on: 'splitter', id: 'a' };

  test.each([
    ['ArrowRight', 52],
    ['ArrowLeft', 48],
    ['+ArrowRight', 60],
    ['Home', 7.2],
    ['End', 92.8],
  ])('%s makes the first one %d percent', (key, size) => {
    expect(type([key], focus).edit).toEqual({ op: 'resize', item: 'a', size });
  });

  test('leave a minimum again, and say so', () => {
    const least = apply(tree, { op: 'resize', item: 'a', size: 7.2 }, counter());
    if (!least.ok) throw least.error;
    const there = spokenOf(least.value.tree);
    expect(type(['ArrowLeft'], focus, there).edit).toBeUndefined();
    expect(type(['ArrowRight'], focus, there).edit).toEqual({ op: 'resize', item: 'a', size: 9.2 });
    expect(type(['+ArrowRight'], focus).say).toBe('A: 60 percent.');
    expect(press(RESTING, { key: 'ArrowUp', shift: false }, focus, spoken)).toBeUndefined();
  });

  test('are separators with a value', () => {
    const [splitter] = spoken.scene.picture.splitters.filter(({ id }) => id === 'a');
    if (splitter === undefined) throw new Error('no splitter');
    expect(aria.separator(splitter, 'Boundary', 'panel-1', true)).toEqual({
      role: 'separator',
      tabindex: '0',
      'aria-label': 'Boundary',
      'aria-controls': 'panel-1',
      'aria-orientation': 'vertical',
      'aria-valuemin': '7',
      'aria-valuemax': '93',
      'aria-valuenow': '50',
      'aria-disabled': undefined,
    });
  });
});

test('by keys alone one arrangement becomes another', () => {
  let now = tree;
  const go = (keys: string[], focus: Focus): void => {
    const { edit } = type(keys, focus, spokenOf(now));
    if (edit === undefined) throw new Error(`${keys.join(' ')} makes no edit`);
    const applied = apply(now, edit, counter('n'));
    if (!applied.ok) throw applied.error;
    now = applied.value.tree;
  };
  go(['Enter', 'Tab', 'Enter'], onTab('a'));
  go(['Enter', '+ArrowLeft', 'Enter'], onTab('b'));
  go(['Delete'], onTab('c'));
  expect(JSON.stringify(definition(now, { ids: false }))).toBe(
    JSON.stringify({
      children: [
        {
          type: 'row',
          children: [
            { type: 'window', appName: 'B' },
            {
              type: 'column',
              children: [
                { type: 'group', children: [{ type: 'window', appName: 'A' }], config: { activeTabIndex: 0 } },
                { type: 'window', appName: 'D' },
              ],
            },
          ],
        },
      ],
    }),
  );
});
