// How the pages look, in both themes, wide and narrow: as in the pictures that are kept, no violation that
// axe-core knows, nothing cut off.

import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { difference, settled } from '@deskwire/pictures';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startDesk } from './desk.ts';
import type { App, Desk } from './desk.ts';

const PICTURES = join(import.meta.dirname, '../pictures');
const ASSISTED = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[] }>;
}

let desk: Desk;
let axe: string;
beforeAll(async () => {
  [desk, axe] = await Promise.all([startDesk(), readFile(ASSISTED, 'utf8')]);
  const { frame, instanceId, page } = await desk.show('notes');
  await frame.waitForSelector('text=No client yet');
  await vi.waitUntil(() => desk.io.interop.methods().some(({ name }) => name === 'Notes.Add'), { timeout: 60_000 });
  for (const text of ['Annual review: keeps the mandate, wants less energy and more bonds by spring.', 'Asked for the tax report. Sent.']) {
    await desk.io.interop.invoke('Notes.Add', { clientId: 'C-1001', text }, { instance: instanceId });
  }
  await page.close();
});
afterAll(async () => desk?.stop());

/** Each page in a state that shows most of it. */
const SCENES: Record<App, (frame: Frame) => Promise<unknown>> = {
  clients: (frame) => frame.waitForSelector('[aria-selected=true]'),
  portfolio: (frame) => frame.waitForSelector('svg'),
  async orders(frame) {
    await frame.waitForSelector('table');
    await frame.getByRole('button', { name: 'New order' }).click();
    await frame.getByLabel('Symbol').fill('MSFT');
    await frame.getByRole('button', { name: 'Review order' }).click();
    await frame.waitForSelector('text=Enter a number above 0');
    await frame.getByLabel('Quantity').fill('1200');
    await frame.getByRole('button', { name: 'Review order' }).click();
    await frame.waitForSelector('text=Place order');
  },
  notes: (frame) => frame.waitForSelector('article'),
};

describe.each(Object.keys(SCENES) as App[])('%s', (app) => {
  test.each([
    ['light', 800, 600],
    ['dark', 800, 600],
    ['light', 320, 600],
    ['dark', 320, 600],
    ['light', 240, 600],
  ] as const)('%s at %d × %d', async (theme, width, height) => {
    const { page, frame } = await desk.show(app, { theme, width, height, bypassCSP: true, context: { clientId: 'C-1001' } });
    await frame.waitForSelector('text=Client of this workspace: Northwind Pension Fund');
    await SCENES[app](frame);
    expect(difference(await settled(page), join(PICTURES, `${app}-${theme}-${width}.png`))).toBeUndefined();
    await frame.evaluate(axe);
    const { violations } = await frame.evaluate(() => (globalThis as never as { axe: Axe }).axe.run());
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target, failureSummary }) => [target, failureSummary])])).toEqual([]);
    const wide = await frame.evaluate(() => [document.documentElement, ...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className));
    expect(wide).toEqual([]);
    await page.close();
  });
});
