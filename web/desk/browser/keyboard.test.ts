// All of it without a mouse, and the focus where it can be seen after every step.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countIn, layoutOf, leave, pageIn, startDesk, windowApp } from './desk.ts';
import type { DeskUnderTest } from './desk.ts';

let desk: DeskUnderTest;
beforeAll(async () => {
  desk = await startDesk({
    applications: (pages) => [windowApp('clients', `${pages}/clients`), windowApp('orders', `${pages}/orders`), windowApp('notes', `${pages}/app-notes`)],
    layouts: [layoutOf('trading', ['clients', 'orders'], ['notes'])],
  });
});
afterAll(() => desk?.close());

/** Waits until the focus is on something that a person can see it on; says on what, where that never is. */
async function seen(page: Page): Promise<void> {
  const isSeen = (): boolean => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return false;
    // The ring is around it, or around the field that it is in; a frame shows the focus of its page.
    const around = [activeElement, activeElement.parentElement].filter((one) => one !== null);
    const hasRing = around.some((one) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
    });
    const isEntry = activeElement.matches('[role="combobox"], iframe, [role="menu"]');
    return activeElement.checkVisibility() && (hasRing || isEntry);
  };
  await page.waitForFunction(isSeen).catch(async () => {
    throw new Error(`the focus is not to be seen: ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300))}`);
  });
}

/** Presses keys, one after the other. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await seen(page);
  }
}

/** Goes on by Tab until the focus is on what is looked for. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press(key);
    const found = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement instanceof HTMLIFrameElement ? '' : (activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '');
    });
    if (name.test(found)) return await seen(page);
  }
  throw new Error(`Tab does not come to ${String(name)}`);
}

/** Finds something by the launcher, and takes it. */
async function launch(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find' }).waitFor();
  await page.keyboard.type(text);
  await page.getByRole('option', { name: new RegExp(text, 'i') }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Launcher' }).waitFor({ state: 'detached' });
}

const panes = (page: Page, count: number) => page.waitForFunction((wanted) => document.querySelectorAll('.layout-pane').length === wanted, count);

test('a workspace is opened, arranged, saved, closed and opened again', async () => {
  const page = await desk.open();
  await page.getByRole('heading', { name: 'Nothing is open' }).waitFor();
  await launch(page, 'trading');
  await page.getByRole('tab', { name: 'trading', exact: true }).waitFor();
  const notes = await pageIn(page, '/app-notes');
  await pageIn(page, '/clients');
  await page.waitForFunction(() => document.querySelector('.cover:not([hidden])') === null);
  const counted = await countIn(notes);

  // Clients goes from its group to that of Notes.
  await tabTo(page, /^Clients$/);
  await press(page, 'Enter', 'Tab', 'Enter');
  await page.getByRole('tablist', { name: 'Tabs: Clients' }).getByRole('tab', { name: 'Notes' }).waitFor();
  await seen(page);

  const splitter = page.getByRole('separator');
  const before = await splitter.getAttribute('aria-valuenow');
  await tabTo(page, /^Boundary/);
  await press(page, 'Shift+ArrowLeft');
  await page.waitForFunction((was) => document.querySelector('[role="separator"]')?.getAttribute('aria-valuenow') !== was, before);

  await tabTo(page, /^Maximize$/, 'Shift+Tab');
  await press(page, 'Enter');
  await panes(page, 1);
  await page.getByRole('button', { name: 'Restore' }).waitFor();
  await press(page, 'Enter');
  await panes(page, 2);

  // A window gets another name, and then the workspace.
  await tabTo(page, /^(Clients|Orders)$/, 'Shift+Tab');
  const renamed = (await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '';
  await press(page, 'F2');
  await page.getByRole('dialog', { name: 'Rename window' }).waitFor();
  await page.keyboard.type('My own');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'My own', exact: true }).waitFor();
  expect(await page.getByRole('tab', { name: renamed, exact: true }).count()).toBe(0);
  await seen(page);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('My own');

  await tabTo(page, /^trading$/, 'Shift+Tab');
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Name of the workspace' }).waitFor();
  await page.keyboard.type('Morning');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Morning', exact: true }).waitFor();
  await seen(page);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Morning');
  expect(notes.isDetached()).toBe(false);
  expect(await countIn(notes)).toBeGreaterThan(counted);

  await page.keyboard.press('Control+Shift+s');
  await page.getByRole('dialog', { name: 'Save workspace' }).waitFor();
  await page.keyboard.type('Mornings');
  await page.keyboard.press('Enter');
  await page.getByText(/^saved/).waitFor();
  await seen(page);
  await tabTo(page, /^Morning$/, 'Shift+Tab');
  await page.keyboard.press('Delete');
  await page.getByRole('heading', { name: 'Nothing is open' }).waitFor();
  await seen(page);

  await launch(page, 'Mornings');
  await page.getByRole('tab', { name: 'My own', exact: true }).waitFor();
  await panes(page, 2);
  await seen(page);
  await leave(page);
});

test('a window joins a channel by the launcher', async () => {
  const page = await desk.open({ colorScheme: 'light' });
  await page.getByRole('heading', { name: 'Nothing is open' }).waitFor();
  await launch(page, 'trading');
  const notes = await pageIn(page, '/app-notes');
  await notes.evaluate(async () => void (await app));
  await tabTo(page, /^Notes$/);
  await page.getByRole('button', { name: /channel of Notes/ }).waitFor();
  await launch(page, 'Join channel Red');
  await page.getByRole('button', { name: /channel of Notes: Red/ }).waitFor();
  await seen(page);
  await leave(page);
});

test('what the launcher opens has the focus, and Escape closes it', async () => {
  const page = await desk.open({ colorScheme: 'light' });
  await page.getByRole('heading', { name: 'Nothing is open' }).waitFor();
  await launch(page, 'Why is something not there?');
  const panel = page.getByRole('complementary', { name: 'Why is something not there?' });
  await panel.waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('aside')?.className)).toBe('why');
  await seen(page);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await seen(page);
  await leave(page);
});
