// Windows are dragged by mouse, touch and keyboard while the pages in them go on counting.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Edit } from '../src/index.ts';
import { startDemo } from './demo.ts';
import type { Demo } from './demo.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(async () => {
  await demo.close();
});

interface Point {
  readonly x: number;
  readonly y: number;
}

async function boxOf(page: Page, selector: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not there`);
  return box;
}

async function middle(page: Page, selector: string): Promise<Point> {
  const { x, y, width, height } = await boxOf(page, selector);
  return { x: x + width / 2, y: y + height / 2 };
}

const tab = (id: string): string => `[data-tab="${id}"]`;
const host = (id: string): string => `.layout-host[data-id="${id}"]`;

function edits(page: Page): Promise<Edit[]> {
  return page.evaluate(() => (globalThis as unknown as { layout: { edits: Edit[] } }).layout.edits);
}

/** Marks every host and frame, and waits until every page counted. */
async function mark(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement & { mark?: string }>('.layout-host, iframe')) {
      element.mark = 'kept';
    }
  });
  await counted(page, 3);
}

async function counted(page: Page, least: number): Promise<void> {
  for (const frame of page.frames().filter((one) => one !== page.mainFrame())) {
    await frame.waitForFunction((n) => Number(document.querySelector('output')?.textContent) >= n, least);
  }
}

/** Every frame is the element it was, its host too, and its page went on from where it was. */
async function expectNothingReloaded(page: Page, from: number[]): Promise<void> {
  const kept = await page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLElement & { mark?: string }>('.layout-host, iframe'), ({ mark: m }) => m),
  );
  expect(kept).toEqual(kept.map(() => 'kept'));
  expect(kept.length).toBe(8);
  const now = await counts(page);
  now.forEach((count, place) => expect(count).toBeGreaterThanOrEqual(from[place] ?? 0));
  await counted(page, Math.max(...from) + 1);
}

function counts(page: Page): Promise<number[]> {
  const frames = page.frames().filter((one) => one !== page.mainFrame());
  return Promise.all(frames.map((frame) => frame.evaluate(() => Number(document.querySelector('output')?.textContent))));
}

async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.mouse.up();
}

describe('by mouse', () => {
  test('a window goes into a group, beside a pane and to an edge; no page loads anew', async () => {
    const page = await demo.open();
    await mark(page);
    const from = await counts(page);
    await drag(page, await middle(page, tab('clients')), await middle(page, host('portfolio')));
    expect((await edits(page)).at(-1)).toEqual({ op: 'move', item: 'clients', place: { at: 'stack', target: 'main' } });
    const notes = await boxOf(page, host('notes'));
    await drag(page, await middle(page, tab('orders')), { x: notes.x + 40, y: notes.y + notes.height / 2 });
    expect((await edits(page)).at(-1)).toEqual({
      op: 'move',
      item: 'orders',
      place: { at: 'beside', target: 'notes', side: 'left' },
    });
    const canvas = await boxOf(page, '#canvas');
    await drag(page, await middle(page, tab('notes')), { x: canvas.x + canvas.width - 4, y: canvas.y + 300 });
    expect((await edits(page)).at(-1)).toEqual({ op: 'move', item: 'notes', place: { at: 'edge', side: 'right' } });
    await expectNothingReloaded(page, from);
    expect((await boxOf(page, host('notes'))).height).toBeCloseTo(canvas.height - 30, -1);
  });

  test('an application lands on each of five zones and four edges', async () => {
    const page = await demo.open();
    const source = await middle(page, '#apps button >> nth=4');
    const canvas = await boxOf(page, '#canvas');
    const pane = await boxOf(page, host('clients'));
    const at = (x: number, y: number): Point => ({ x: pane.x + pane.width * x, y: pane.y + pane.height * y });
    const spots: [Point, unknown][] = [
      [at(0.5, 0.5), { at: 'stack', target: 'clients' }],
      [at(0.15, 0.5), { at: 'beside', target: 'clients', side: 'left' }],
      [at(0.85, 0.5), { at: 'beside', target: 'clients', side: 'right' }],
      [at(0.5, 0.1), { at: 'beside', target: 'clients', side: 'top' }],
      [at(0.5, 0.85), { at: 'beside', target: 'clients', side: 'bottom' }],
      [{ x: canvas.x + 3, y: canvas.y + 300 }, { at: 'edge', side: 'left' }],
      [{ x: canvas.x + canvas.width - 3, y: canvas.y + 300 }, { at: 'edge', side: 'right' }],
      [{ x: canvas.x + 300, y: canvas.y + 3 }, { at: 'edge', side: 'top' }],
      [{ x: canvas.x + 300, y: canvas.y + canvas.height - 3 }, { at: 'edge', side: 'bottom' }],
    ];
    for (const [to, place] of spots) {
      await drag(page, source, to);
      expect((await edits(page)).at(-1)).toMatchObject({ op: 'insert', place });
      await page.click('#undo');
    }
  });

  test('released outside, or after Escape, nothing happens and nothing stays', async () => {
    const page = await demo.open();
    const from = await middle(page, tab('clients'));
    await drag(page, from, { x: 500, y: 5 });
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(700, 300, { steps: 4 });
    await page.waitForSelector('.layout-preview:not([hidden])');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await edits(page)).toEqual([]);
    expect(await page.locator('.layout-overlay > :not([hidden])').count()).toBe(0);
  });

  test('a splitter shows sizes while it moves, over frames, and makes one edit', async () => {
    const page = await demo.open();
    const from = await middle(page, '[data-splitter="clients"]');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 120, from.y, { steps: 6 });
    await page.waitForFunction((x) => {
      const box = document.querySelector('.layout-host[data-id="clients"]')?.getBoundingClientRect();
      return box !== undefined && Math.abs(box.right - x) < 4;
    }, from.x + 118);
    expect(await edits(page)).toEqual([]);
    await page.mouse.up();
    expect(await edits(page)).toMatchObject([{ op: 'resize', item: 'clients' }]);
  });

  test('a click brings a tab to the front and the focus to it', async () => {
    const page = await demo.open();
    await page.click(tab('orders'));
    expect(await edits(page)).toEqual([{ op: 'select', item: 'orders' }]);
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset['tab'])).toBe('orders');
    await page.click(`${tab('orders')} .layout-close`);
    expect((await edits(page)).at(-1)).toEqual({ op: 'remove', item: 'orders' });
  });
});

describe('by touch', () => {
  test('a long press picks up; no page loads anew', async () => {
    const page = await demo.open('', { hasTouch: true, isMobile: true });
    await mark(page);
    const counting = await counts(page);
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Point): Promise<unknown> =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] });
    const from = await middle(page, tab('clients'));
    const to = await middle(page, host('notes'));
    await touch('touchStart', from);
    await page.waitForSelector('.layout-ghost:not([hidden])');
    await touch('touchMove', { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
    await touch('touchMove', to);
    await page.waitForSelector('.layout-preview:not([hidden])');
    await touch('touchEnd');
    await page.waitForFunction(() => (globalThis as unknown as { layout: { edits: Edit[] } }).layout.edits.length > 0);
    expect(await edits(page)).toEqual([{ op: 'move', item: 'clients', place: { at: 'stack', target: 'notes' } }]);
    await expectNothingReloaded(page, counting);
  });
});

describe('by keyboard', () => {
  test('a window is picked up, placed and dropped; the focus goes with it; no page loads anew', async () => {
    const page = await demo.open();
    await mark(page);
    const from = await counts(page);
    await page.focus(tab('clients'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.layout-preview:not([hidden])');
    await page.keyboard.press('Enter');
    expect((await edits(page)).at(-1)).toMatchObject({ op: 'move', item: 'clients' });
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset['tab'])).toBe('clients');
    expect(await page.textContent('[role="status"]')).toContain('Dropped Clients');
    await expectNothingReloaded(page, from);
  });

  test('an application from the list is carried onto the canvas', async () => {
    const page = await demo.open();
    await page.focus('#apps button >> nth=4');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Enter');
    expect((await edits(page)).at(-1)).toMatchObject({ op: 'insert', place: { at: 'edge', side: 'bottom' } });
  });
});
