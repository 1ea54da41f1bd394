// The desk of the demo as it is shown: no finding of axe, nothing on the console, every page on the bus.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IOConnectDesktop } from '@interopio/desktop';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinBus } from './client.ts';
import { leave, startDesk } from './desk.ts';
import type { DeskUnderTest } from './desk.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let desk: DeskUnderTest;
let io: IOConnectDesktop.API;
beforeAll(async () => {
  desk = await startDesk();
  io = await joinBus(desk.server, 'watcher');
});
afterAll(async () => {
  await io?.done();
  await desk?.close();
});

/** What axe finds on the desk, as `rule: selector` for each place; pages in windows have tests of their own. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(
    () => (globalThis as unknown as { axe: { run(of: Document, options: object): Promise<AxeResults> } }).axe.run(document, { iframes: false }),
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`));
}

test.each(['light', 'dark'] as const)('axe finds nothing on it (%s)', async (colorScheme) => {
  const page = await desk.open({ colorScheme, reducedMotion: 'reduce' });
  const said: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && said.push(message.text()));
  page.on('response', (response) => response.status() >= 400 && said.push(`${response.url()}: ${response.status()}`));
  await page.reload();
  await page.getByRole('heading', { name: 'Nothing is open' }).waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Client review' }).click();
  await page.getByRole('tab', { name: 'Client review', exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('iframe').length === 4 && document.querySelector('.cover:not([hidden])') === null);
  // All on the bus, so that the status line has said its last word.
  const onBus = (): string[] => io.interop.servers().flatMap(({ application }) => application ?? []);
  await expect.poll(onBus, { timeout: 60_000 }).toEqual(expect.arrayContaining(['clients', 'portfolio', 'orders', 'notes']));
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Maximize' }).first().click();
  await page.getByRole('button', { name: 'Restore' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Restore' }).click();

  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.keyboard.press('Control+Shift+s');
  await page.getByRole('dialog', { name: 'Save workspace' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /hidden/ }).click();
  await page.getByRole('complementary').getByRole('status').filter({ hasText: /visible/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');

  expect(said).toEqual([]);
  await leave(page);
});
