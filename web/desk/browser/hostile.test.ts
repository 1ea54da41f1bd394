// Pages and files of people who mean no good, or write bad programs.

import type { IOConnectDesktop } from '@interopio/desktop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinBus } from './client.ts';
import { countIn, heardIn, layoutOf, leave, openLayout, pageIn, startDesk, windowApp } from './desk.ts';
import type { DeskUnderTest } from './desk.ts';
import { servePages } from './pages.ts';
import type { PageServer } from './pages.ts';

let desk: DeskUnderTest;
let stranger: PageServer;
let io: IOConnectDesktop.API;
beforeAll(async () => {
  stranger = await servePages();
  desk = await startDesk({
    applications: (pages) => ['clients', 'quiet', 'flood', 'slow'].map((name) => windowApp(name, `${pages}/${name}`)),
    layouts: [layoutOf('leaving', ['clients'], ['quiet']), layoutOf('flooded', ['flood'], ['clients']), layoutOf('late', ['slow'], ['clients'])],
  });
  io = await joinBus(desk.server, 'stranger');
});
afterAll(async () => {
  await io?.done();
  await desk?.close();
  await stranger?.stop();
});

test('a page that goes to another origin is told nothing there', async () => {
  const page = await desk.open();
  await openLayout(page, 'leaving');
  const clients = await pageIn(page, '/clients');
  await heardIn(clients);
  const left = page.waitForEvent('framenavigated', (frame) => frame.url() === `${stranger.origin}/elsewhere`);
  await clients.evaluate((to) => location.assign(to), `${stranger.origin}/elsewhere`);
  const elsewhere = await left;
  // It said hello as it came; by the time of a second one the first would have been answered.
  await elsewhere.evaluate(() => parent.postMessage({ deskwire: 1, type: 'hello' }, '*'));
  await page.emulateMedia({ colorScheme: 'dark' });
  const quiet = await pageIn(page, '/quiet');
  const counted = await countIn(quiet);
  await quiet.waitForFunction((from) => Number(document.querySelector('output')?.textContent) > from + 20, counted);
  expect(await elsewhere.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard)).toEqual([]);
  // Back at home it is told again.
  const back = page.waitForEvent('framenavigated', (frame) => frame.url() === `${desk.pages.origin}/clients`);
  await elsewhere.evaluate((to) => location.assign(to), `${desk.pages.origin}/clients`);
  expect(await heardIn(await back)).toMatchObject([{ type: 'start', application: 'clients' }]);
  await leave(page);
});

test('the desk can be used while a page floods it with messages', async () => {
  const page = await desk.open();
  await openLayout(page, 'flooded');
  const flood = await pageIn(page, '/flood');
  await heardIn(flood);
  const counted = await countIn(flood);
  await flood.waitForFunction((from) => Number(document.querySelector('output')?.textContent) > from, counted);
  await page.getByRole('button', { name: /^Launch/ }).click();
  await page.getByRole('combobox', { name: 'Find' }).fill('clients');
  await page.getByRole('option', { name: /Clients/ }).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: /^Title \d+$/ }).waitFor();
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByRole('heading', { name: 'This workspace is empty' }).waitFor();
  await leave(page);
});

test('a page that is slow says so, can be left alone, and is there when it comes', async () => {
  const page = await desk.open();
  await openLayout(page, 'late');
  await page.locator('.cover', { hasText: 'Loading Slow…' }).waitFor();
  await page.locator('.cover', { hasText: /Slow (is slow|does not answer)/ }).waitFor();
  expect(await page.locator('.cover', { hasText: /Slow (is slow|does not answer)/ }).getByRole('button', { name: 'Try again' }).isVisible()).toBe(true);
  await pageIn(page, '/clients');
  desk.pages.hurry();
  await heardIn(await pageIn(page, '/slow'));
  await page.waitForFunction(() => document.querySelector('.cover:not([hidden])') === null);
  await leave(page);
});

test('a workspace from a stranger is text: nothing in it runs, and what cannot be opened says so', async () => {
  const page = await desk.open();
  page.on('dialog', () => {
    throw new Error('a script ran');
  });
  await page.getByRole('heading', { name: 'Nothing is open' }).waitFor();
  const html = '<img src=x onerror="alert(1)"><script>alert(1)</script>';
  const window = (appName: string, more: object = {}) => ({ type: 'window', config: { appName, ...more } });
  const state = {
    config: { title: html },
    context: { '<b>': html },
    children: [
      {
        type: 'row',
        config: { minWidth: -5, width: 1e308 },
        children: [
          { type: 'group', config: { width: -1e9, height: 'tall' }, children: [window('clients', { title: html }), window(html)] },
          { type: 'group', config: { width: 1e300 }, children: [window('nobody', { url: 'javascript:alert(1)', title: 'x'.repeat(100_000) })] },
          { type: 'spiral', children: [window('clients')] },
        ],
      },
    ],
  };
  const layout = { name: 'from <i>far</i>', type: 'Workspace', components: [{ type: 'Workspace', state }], metadata: { description: html } };
  await io.layouts.import([layout as unknown as IOConnectDesktop.Layouts.Layout], 'merge');
  await page.getByRole('button', { name: /from <i>far<\/i>/ }).click();
  await page.getByRole('tab', { name: html, exact: true }).first().waitFor();
  await page.getByText('There is no application nobody').waitFor();
  await pageIn(page, '/clients');
  expect(await page.locator('main img, main script, main b, main i, header img, header i').count()).toBe(0);
  expect(await page.evaluate(() => Array.from(document.querySelectorAll('iframe'), ({ src }) => src))).toEqual([`${desk.pages.origin}/clients`]);
  // Both panes are there to be seen, whatever was said of their sizes.
  const widths = await page.locator('.layout-pane').evaluateAll((panes) => panes.map((pane) => pane.getBoundingClientRect().width));
  expect(widths.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...widths)).toBeGreaterThan(50);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
  await leave(page);
});
