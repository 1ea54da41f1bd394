import { describe, expect, test } from 'vitest';
import { apply, counter, IDLE, step } from '../src/index.ts';
import type { DragEvent, DragState, Grip, Scene } from '../src/index.ts';
import { sceneOf, treeOf } from './support.ts';

const scene = sceneOf(treeOf({ row: ['a', { group: ['b', 'c'], id: 'g' }], id: 'r' }), 1004, 604);
const tab: Grip = { on: 'subject', subject: { from: 'tree', id: 'a', name: 'A' } };
const splitter: Grip = { on: 'splitter', id: 'a' };

function down(grip: Grip, x: number, y: number, touch = false): DragEvent {
  return { type: 'down', pointer: 1, point: { x, y }, buttons: 1, time: 0, touch, grip };
}
function move(x: number, y: number, time = 16, pointer = 1, buttons = 1): DragEvent {
  return { type: 'move', pointer, point: { x, y }, buttons, time };
}
function up(x: number, y: number, pointer = 1): DragEvent {
  return { type: 'up', pointer, point: { x, y }, buttons: 0, time: 32 };
}
function run(events: DragEvent[], of: Scene = scene): DragState {
  return events.reduce<DragState>((state, event) => step(state, event, of), IDLE);
}

describe('a drag', () => {
  test('begins beyond the threshold, shows where it lands, and drops', () => {
    expect(run([down(tab, 20, 10), move(22, 11)])).toMatchObject({ phase: 'pressed' });
    const over = run([down(tab, 20, 10), move(750, 300)]);
    expect(over).toMatchObject({ phase: 'dragging', target: { preview: { x: 0, y: 0, width: 1004, height: 604 } } });
    expect(run([down(tab, 20, 10), move(750, 300), up(750, 300)])).toMatchObject({
      phase: 'dropped',
      edit: { op: 'move', item: 'a', place: { at: 'stack', target: 'g' } },
    });
  });

  test.each<[string, DragEvent[], string]>([
    ['Escape', [{ type: 'escape' }], 'escape'],
    ['a lock', [{ type: 'abort' }], 'aborted'],
    ['lost capture', [{ type: 'lost', pointer: 1 }], 'lost'],
    ['a button released where nobody saw it', [move(400, 300, 20, 1, 0)], 'lost'],
    ['a release outside', [up(-5, 300)], 'outside'],
    ['a place that is refused', [up(250, 300)], 'refused'],
  ])('comes to nothing by %s', (_, events, why) => {
    expect(run([down(tab, 20, 10), move(750, 300), ...events])).toEqual({ phase: 'cancelled', why });
  });

  test('comes to nothing in the press already', () => {
    expect(run([down(tab, 20, 10), { type: 'escape' }, move(750, 300), up(750, 300)])).toMatchObject({ phase: 'cancelled' });
  });

  test('goes outside and comes back', () => {
    const out = run([down(tab, 20, 10), move(750, 300), move(2000, 300)]);
    expect(out).toMatchObject({ phase: 'dragging', target: undefined });
    expect(step(step(out, move(750, 300), scene), up(750, 300), scene)).toMatchObject({ phase: 'dropped' });
  });

  test('belongs to one pointer and one button', () => {
    const dragging = run([down(tab, 20, 10), move(750, 300)]);
    for (const event of [move(10, 10, 20, 2), up(10, 10, 2), { type: 'lost', pointer: 2 } as const, down(tab, 1, 1)]) {
      expect(step(dragging, event, scene)).toBe(dragging);
    }
    expect(run([{ ...down(tab, 20, 10), buttons: 2 } as DragEvent])).toBe(IDLE);
  });

  test('computes a place once, not with every move', () => {
    const over = run([down(tab, 20, 10), move(750, 300)]);
    const further = step(over, move(752, 301), scene);
    expect(over.phase === 'dragging' && further.phase === 'dragging' && further.target === over.target).toBe(true);
  });

  test('sees a tree that changes meanwhile', () => {
    const over = run([down(tab, 20, 10), move(750, 300)]);
    const gone = apply(scene.tree, { op: 'remove', item: 'a' }, counter());
    if (!gone.ok) throw gone.error;
    expect(step(over, up(750, 300), sceneOf(gone.value.tree, 1004, 604))).toEqual({ phase: 'cancelled', why: 'refused' });
  });

  test('that never began is a click', () => {
    expect(run([down(tab, 20, 10), up(21, 10)])).toEqual({ phase: 'clicked', grip: tab });
  });
});

describe('a touch', () => {
  test('that stays becomes a drag', () => {
    const held = run([down(tab, 20, 10, true), move(24, 12, 100), { type: 'tick', time: 350 }]);
    expect(held).toMatchObject({ phase: 'dragging', subject: { id: 'a' } });
    expect(step(step(held, move(750, 300, 400), scene), up(750, 300), scene)).toMatchObject({ phase: 'dropped' });
  });

  test('that goes on scrolls', () => {
    expect(run([down(tab, 20, 10, true), move(20, 40, 100)])).toEqual({ phase: 'cancelled', why: 'scrolled' });
    expect(run([down(tab, 20, 10, true), { type: 'tick', time: 349 }])).toMatchObject({ phase: 'pressed' });
  });

  test('moves a splitter at once', () => {
    expect(run([down(splitter, 502, 300, true), move(560, 300)])).toMatchObject({ phase: 'resizing' });
  });
});

describe('a splitter', () => {
  test('shows sizes as it moves and makes one edit at the end', () => {
    const moving = run([down(splitter, 502, 300), move(552, 300), move(602, 300)]);
    expect(moving).toMatchObject({ phase: 'resizing', length: 600 });
    expect(step(moving, up(602, 300), scene)).toEqual({
      phase: 'dropped',
      edit: { op: 'resize', item: 'a', size: 60 },
      subject: undefined,
    });
  });

  test('stops at the minimum, and makes no edit where it was', () => {
    expect(run([down(splitter, 502, 300), move(-300, 300)])).toMatchObject({ phase: 'resizing', length: 72 });
    expect(run([down(splitter, 502, 300), move(600, 300), up(502, 300)])).toBe(IDLE);
    expect(run([down(splitter, 502, 300), move(600, 300), { type: 'escape' }])).toMatchObject({ phase: 'cancelled' });
  });

  test('that is gone ends the drag', () => {
    const moving = run([down(splitter, 502, 300), move(552, 300)]);
    expect(step(moving, move(560, 300), sceneOf(treeOf('a')))).toEqual({ phase: 'cancelled', why: 'lost' });
  });
});
