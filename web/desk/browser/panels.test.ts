// The panels under the policy of the desk: every state in light and dark as in the picture that is
// kept, and without a finding of axe, also where it is narrow.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { difference, settled } from '@deskwire/pictures';
import type { Page } from 'playwright-core';
import type { AxeResults } from 'axe-core';
import { NAMES } from '../gallery/names.ts';
import { startGallery } from './gallery.ts';
import type { Gallery } from './gallery.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PICTURES = join(import.meta.dirname, '../pictures');
const NARROW = { width: 360, height: 740 };

let gallery: Gallery;
beforeAll(async () => {
  gallery = await startGallery();
});
afterAll(async () => {
  await gallery.close();
});

/** What axe finds, as `rule: selector` for each place. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(
    () => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`));
}

afterEach(() => {
  expect(gallery.faults()).toEqual([]);
});

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each(NAMES)('%s', async (name) => {
    const page = await gallery.open(name, theme);
    await answered(page);
    expect(difference(await settled(page), join(PICTURES, `${name}-${theme}.png`))).toBeUndefined();
    // Thousands of the same say no more than the few of `why`.
    if (name === 'why-many') return;
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW.width);
    expect(await violations(page)).toEqual([]);
  });
});

/** Until what was asked for is there. The gallery's own address is another one each time. */
async function answered(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.why-sum')?.textContent !== 'Asking…');
  await page.evaluate(() => {
    for (const told of document.querySelectorAll('dd')) told.textContent = told.textContent.replace(location.host, '127.0.0.1:4111');
  });
}

describe('by keyboard', () => {
  const calls = (page: Page): Promise<unknown> =>
    page.evaluate(() => (globalThis as unknown as { gallery: { calls: unknown } }).gallery.calls);
  const focused = (page: Page): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);

  test('the launcher opens, finds, starts, and remembers', async () => {
    const page = await gallery.open('desk');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find' }).waitFor();
    await page.keyboard.type('port');
    expect(await page.getByRole('option').first().locator('mark').textContent()).toBe('Port');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await calls(page)).toEqual([['startApplication', 'portfolio']]);
    await page.getByRole('button', { name: /^Launch/ }).click();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('group').first().textContent()).toMatch(/^RecentPortfolio/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(/^Launch/);
  });

  test('what cannot start is found, says why, and does nothing', async () => {
    const page = await gallery.open('launcher');
    await page.keyboard.type('risk engine');
    const option = page.getByRole('option', { name: /Risk engine/ });
    expect(await option.getAttribute('aria-disabled')).toBe('true');
    expect(await option.textContent()).toContain('is not there. Install it');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    expect(await calls(page)).toEqual([]);
  });

  test('the arrows go round, and the option in question is named', async () => {
    const page = await gallery.open('launcher');
    const field = page.getByRole('combobox');
    await field.waitFor();
    await page.keyboard.type('order');
    await page.keyboard.press('ArrowUp');
    const last = await page.getByRole('option').last().getAttribute('id');
    expect(await field.getAttribute('aria-activedescendant')).toBe(last);
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await page.getByRole('option').first().getAttribute('id'));
  });

  test('the reasons open from the status line, narrow down, and give the focus back', async () => {
    const page = await gallery.open('desk');
    await page.getByRole('button', { name: /7 hidden/ }).focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary');
    await panel.getByText('price_history').waitFor();
    await page.keyboard.type('chart');
    await panel.getByText('price_history').waitFor({ state: 'detached' });
    await panel.getByText('ViewChart', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(/^7 hidden/);
  });

  test('a plain client sees less', async () => {
    const page = await gallery.open('why');
    const panel = page.getByRole('complementary');
    await panel.getByText('price_history').waitFor();
    expect(await panel.getByText('io_connect_search_workspaces').count()).toBe(0);
    for (const name of ['sampling', 'elicitation', 'ui']) await panel.getByRole('checkbox', { name }).press('Space');
    await panel.getByText('io_connect_search_workspaces').waitFor();
    expect(await panel.getByRole('status').last().textContent()).toContain('A plain client: ');
  });

  test('a window joins and leaves a channel', async () => {
    const page = await gallery.open('desk');
    await page.getByRole('button', { name: /channel of Clients: Blue/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'None' }).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await calls(page)).toEqual([['joinChannel', 'instance-1', undefined]]);
  });

  test('saving asks for a name where there is none', async () => {
    const page = await gallery.open('close');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement);
    await page.keyboard.type('Morning');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await calls(page)).toEqual([['saveWorkspace', 'w1', 'Morning']]);
  });

  test('a notice is dismissed', async () => {
    const page = await gallery.open('notices');
    expect(await page.getByRole('alert').count()).toBe(2);
    await page.getByRole('button', { name: /^Dismiss: Month end/ }).press('Enter');
    await page.getByText('Month end was not saved').waitFor({ state: 'detached' });
    expect(await calls(page)).toEqual([['dismiss', 0]]);
  });
});
