import { describe, expect, test } from 'vitest';
import { aim, apply, counter, DEFAULT_METRICS, draw, hitTest, lengthFor, resizeTo } from '../src/index.ts';
import type { Hit, Place, Subject } from '../src/index.ts';
import { sceneOf, treeOf } from './support.ts';

const { strip, gap } = DEFAULT_METRICS;
const move = (id: string): Subject => ({ from: 'tree', id, name: id });
const fresh: Subject = { from: 'outside', item: { type: 'window', id: 'new', appName: 'New' }, name: 'New' };

describe('a picture', () => {
  test('gives rows and columns their shares, less the gaps', () => {
    const { picture } = sceneOf(treeOf({ row: ['a', { column: ['b', 'c'] }] }), 1004, 604);
    expect(picture.panes.map(({ id, rect }) => [id, rect])).toEqual([
      ['a', { x: 0, y: 0, width: 500, height: 604 }],
      ['b', { x: 504, y: 0, width: 500, height: 300 }],
      ['c', { x: 504, y: 304, width: 500, height: 300 }],
    ]);
    expect(picture.windows[0]?.rect).toEqual({ x: 0, y: strip, width: 500, height: 604 - strip });
    expect(picture.splitters.map(({ id, axis, rect }) => [id, axis, rect.width, rect.height])).toEqual([
      ['a', 'horizontal', gap, 604],
      ['b', 'vertical', 500, gap],
    ]);
  });

  test('fills the canvas without holes or overlaps, whatever its size', () => {
    const tree = treeOf('a', { column: ['b', { row: ['c', 'd', 'e'] }, { group: ['f', 'g'] }] }, { row: [{ column: ['h'] }, 'i'] });
    for (const [width, height] of [[1920, 1080], [997, 613], [320, 480], [90, 60], [1, 1], [0, 0]] as const) {
      const { picture } = sceneOf(tree, width, height);
      const areas = [...picture.panes, ...picture.splitters].map(({ rect }) => rect.width * rect.height);
      const isRoomy = width >= 320;
      if (isRoomy) expect(areas.reduce((sum, area) => sum + area, 0)).toBe(width * height);
      for (const { rect } of picture.panes) {
        expect(Math.min(rect.x, rect.y, rect.width, rect.height)).toBeGreaterThanOrEqual(0);
        if (isRoomy) expect(rect.x + rect.width).toBeLessThanOrEqual(width);
      }
    }
  });

  test('keeps minimums where there is room, and says nothing of it in the tree', () => {
    const tree = treeOf({ row: ['a', 'b', 'c'] });
    const small = apply(tree, { op: 'resize', item: 'a', size: 2 }, counter());
    if (!small.ok) throw small.error;
    const { picture } = sceneOf(small.value.tree);
    expect(picture.panes[0]?.rect.width).toBe(DEFAULT_METRICS.minWidth);
    const narrow = sceneOf(treeOf({ row: ['a', 'b', 'c', 'd'] }), 200);
    expect(narrow.picture.panes.map(({ rect }) => rect.width)).toEqual([47, 47, 47, 47]);
  });

  test('shows a maximised item alone, and leaves the others their place behind it', () => {
    const tree = treeOf({ row: ['a', { group: ['b', 'c'], id: 'g' }] });
    const canvas = { x: 0, y: 0, width: 1004, height: 604 };
    // A tab fills the canvas with its group.
    for (const item of ['g', 'b']) {
      const picture = draw(tree, canvas, DEFAULT_METRICS, item);
      expect(picture.panes.map(({ id, rect }) => [id, rect])).toEqual([['g', canvas]]);
      expect(picture.splitters).toEqual([]);
      expect(picture.windows.filter(({ front }) => front).map(({ id }) => id)).toEqual(['b']);
      expect(picture.windows.find(({ id }) => id === 'a')?.rect).toEqual({ x: 0, y: strip, width: 500, height: 604 - strip });
    }
    expect(draw(tree, canvas, DEFAULT_METRICS, 'nobody')).toEqual(draw(tree, canvas, DEFAULT_METRICS));
  });

  test('keeps the end of a strip free for buttons', () => {
    const ids = Array.from({ length: 10 }, (_, place) => `t${place}`);
    const rights = (rtl: boolean): number[] =>
      sceneOf(treeOf({ group: ids }), 600, 400, { tools: 60, rtl }).picture.panes[0]?.tabs.flatMap(({ rect }) =>
        rect === undefined ? [] : [rect.x, rect.x + rect.width],
      ) ?? [];
    expect([Math.min(...rights(false)), Math.max(...rights(false))]).toEqual([0, 540]);
    expect([Math.min(...rights(true)), Math.max(...rights(true))]).toEqual([60, 600]);
  });

  test('has a drop area for what is empty', () => {
    expect(sceneOf(treeOf()).picture.panes).toEqual([]);
    const { picture } = sceneOf(treeOf({ group: [], id: 'g' }));
    expect(picture.panes[0]).toMatchObject({ id: 'g', kind: 'group', tabs: [], strip: { height: 0 } });
  });

  test('shows the tabs around the front one where not all have room; from the right in right-to-left', () => {
    const ids = Array.from({ length: 20 }, (_, place) => `t${place}`);
    const { picture } = sceneOf(treeOf({ group: ids, active: 10 }), 240);
    const seen = picture.panes[0]?.tabs.filter(({ rect }) => rect !== undefined).map(({ id }) => id);
    expect(seen).toEqual(['t8', 't9', 't10', 't11', 't12']);
    const rtl = sceneOf(treeOf({ group: ['a', 'b'] }), 1000, 600, { rtl: true }).picture.panes[0];
    expect(rtl?.tabs.map(({ rect }) => rect?.x)).toEqual([820, 640]);
  });
});

describe('what is under a point', () => {
  const scene = sceneOf(treeOf({ row: ['a', { group: ['b', 'c'], id: 'g' }] }), 1004, 604);
  const hit = (x: number, y: number): Hit | undefined => hitTest(scene.picture, { x, y }, scene.metrics);

  test.each([
    [250, 300, { on: 'zone', pane: 'a', zone: 'centre' }],
    [60, 300, { on: 'zone', pane: 'a', zone: 'left' }],
    [440, 300, { on: 'zone', pane: 'a', zone: 'right' }],
    [250, 60, { on: 'zone', pane: 'a', zone: 'top' }],
    [250, 560, { on: 'zone', pane: 'a', zone: 'bottom' }],
    [2, 300, { on: 'edge', side: 'left' }],
    [1002, 300, { on: 'edge', side: 'right' }],
    [700, 2, { on: 'edge', side: 'top' }],
    [700, 602, { on: 'edge', side: 'bottom' }],
    [510, 22, { on: 'tab', pane: 'g', index: 0 }],
    [620, 22, { on: 'tab', pane: 'g', index: 1 }],
    [900, 22, { on: 'tab', pane: 'g', index: 2 }],
    [620, 4, { on: 'edge', side: 'top' }],
    [620, 6, { on: 'tab', pane: 'g', index: 1 }],
    [6, 22, { on: 'tab', pane: 'a', index: 0 }],
    [15, 40, { on: 'edge', side: 'left' }],
    [502, 300, { on: 'zone', pane: 'a', zone: 'right' }],
    [-1, 300, undefined],
    [500, 604, undefined],
  ])('at %i, %i', (x, y, expected) => {
    expect(hit(x, y)).toEqual(expected);
  });

  test('an empty canvas is one place', () => {
    const empty = sceneOf(treeOf());
    const found = hitTest(empty.picture, { x: 1, y: 1 }, empty.metrics);
    expect(found).toEqual({ on: 'canvas' });
    expect(aim(empty, fresh, { on: 'canvas' })).toMatchObject({ ok: true, value: { edit: { place: { at: 'into' } } } });
  });
});

describe('a drop', () => {
  const tree = treeOf({ row: ['a', { group: ['b', 'c'], id: 'g' }], id: 'r' });
  const scene = sceneOf(tree, 1004, 604);

  test.each<[Hit, Place]>([
    [{ on: 'edge', side: 'top' }, { at: 'edge', side: 'top' }],
    [{ on: 'zone', pane: 'g', zone: 'left' }, { at: 'beside', target: 'g', side: 'left' }],
    [{ on: 'zone', pane: 'g', zone: 'centre' }, { at: 'stack', target: 'g' }],
    [{ on: 'tab', pane: 'g', index: 1 }, { at: 'stack', target: 'g', index: 1 }],
  ])('at %o is the place %o, and the preview is where the edit puts it', (hit, place) => {
    const target = aim(scene, fresh, hit);
    if (!target.ok) throw target.error;
    expect(target.value.edit).toEqual({ op: 'insert', item: fresh.from === 'outside' ? fresh.item : '', place });
    const applied = apply(tree, target.value.edit, counter('x'));
    if (!applied.ok) throw applied.error;
    expect(target.value.preview).toEqual(draw(applied.value.tree, scene.picture.canvas, scene.metrics).areas.get('new'));
  });

  test('counts tabs without the one that is dragged', () => {
    const three = sceneOf(treeOf({ group: ['b', 'c', 'd'], id: 'g' }));
    for (const [index, result] of [[0, 'bcd'], [1, 'bcd'], [2, 'cbd'], [3, 'cdb']] as const) {
      const target = aim(three, move('b'), { on: 'tab', pane: 'g', index });
      if (!target.ok) throw target.error;
      expect(draw(target.value.after, three.picture.canvas, three.metrics).panes[0]?.tabs.map(({ id }) => id).join('')).toBe(result);
    }
  });

  test('is refused where the edit is', () => {
    expect(aim(scene, move('a'), { on: 'zone', pane: 'a', zone: 'left' })).toMatchObject({ error: { code: 'into-itself' } });
    expect(aim(scene, move('r'), { on: 'zone', pane: 'g', zone: 'left' })).toMatchObject({ error: { code: 'into-itself' } });
    const row: Subject = { from: 'outside', item: { type: 'row', id: 'x', children: [] }, name: '' };
    expect(aim(scene, row, { on: 'zone', pane: 'g', zone: 'centre' })).toMatchObject({ error: { code: 'not-a-tab' } });
  });

  test('of a group onto tabs lands where its windows go', () => {
    const target = aim(scene, move('g'), { on: 'zone', pane: 'a', zone: 'centre' });
    expect(target).toMatchObject({ ok: true, value: { preview: { x: 0, y: 0, width: 1004, height: 604 } } });
  });
});

describe('a splitter', () => {
  const tree = treeOf({ row: ['a', 'b', 'c'] });
  const { picture, metrics } = sceneOf(tree, 908);
  const [first] = picture.splitters;
  if (first === undefined) throw new Error('no splitter');

  test('is where the edit that it makes puts it', () => {
    for (const wished of [100, 250.5, 333, 500]) {
      const edit = resizeTo(first, lengthFor(first, wished));
      const applied = apply(tree, edit, counter());
      if (!applied.ok) throw applied.error;
      const now = draw(applied.value.tree, picture.canvas, metrics).splitters[0];
      expect(Math.abs((now?.length ?? 0) - wished)).toBeLessThanOrEqual(1);
    }
  });

  test('snaps to the minimums of both neighbours', () => {
    expect([-50, 75, 79, 81].map((wished) => lengthFor(first, wished))).toEqual([72, 72, 72, 81]);
    expect([519, 521, 9999].map((wished) => lengthFor(first, wished))).toEqual([519, 528, 528]);
    for (const wished of [-50, 9999]) {
      expect(apply(tree, resizeTo(first, lengthFor(first, wished)), counter()).ok).toBe(true);
    }
  });
});
