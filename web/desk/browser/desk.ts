// A browser with the desk in it, on a server of its own.

import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { servePages } from './pages.ts';
import type { PageServer } from './pages.ts';
import { startServer } from './server.ts';
import type { Server } from './server.ts';

const CHROMIUM = process.env['DESKWIRE_CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

export interface DeskUnderTest {
  readonly server: Server;
  readonly pages: PageServer;
  /** Address of the desk. */
  readonly address: string;
  /** A page of another person, or of the same in another browser. */
  open(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface World {
  applications(pages: string): readonly object[];
  readonly layouts: readonly object[];
}

/** Without a world, the desk of the demo. */
export async function startDesk(world?: World): Promise<DeskUnderTest> {
  const pages = await servePages();
  const { origin } = pages;
  const server = await startServer(world && { applications: world.applications(origin), layouts: world.layouts, origins: [origin] });
  const address = `${server.base}/`;
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  return {
    server,
    pages,
    address,
    async open(options = {}) {
      const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })).newPage();
      page.setDefaultTimeout(30_000);
      page.on('pageerror', (error) => {
        throw error;
      });
      await page.goto(address);
      return page;
    },
    async close() {
      await browser.close();
      await pages.stop();
      await server.end();
    },
  };
}

/** The page in a window, once it is there. */
export async function pageIn(desk: Page, path: string): Promise<Frame> {
  await desk.waitForFunction((wanted) => Array.from(document.querySelectorAll('iframe')).some(({ src }) => src.includes(wanted)), path);
  for (;;) {
    const frame = desk.frames().find((one) => one.url().includes(path));
    if (frame !== undefined) {
      await frame.waitForFunction(() => Number(document.querySelector('output')?.textContent) > 0);
      return frame;
    }
    await desk.waitForEvent('framenavigated');
  }
}

export async function countIn(frame: Frame): Promise<number> {
  return await frame.evaluate(() => Number(document.querySelector('output')?.textContent));
}

/** What a page heard over its port, once there are so many messages. */
export async function heardIn(frame: Frame, least = 1): Promise<Record<string, unknown>[]> {
  const heard = await frame.waitForFunction((n) => {
    const all = (globalThis as unknown as { heard: Record<string, unknown>[] }).heard;
    return all.length >= n ? all : undefined;
  }, least);
  return (await heard.jsonValue()) ?? [];
}

export function windowApp(name: string, url: string, more: object = {}): object {
  return { name, title: name.charAt(0).toUpperCase() + name.slice(1), type: 'window', details: { url }, ...more };
}

/** A saved workspace: each list is a group of applications, side by side. */
export function layoutOf(name: string, ...groups: readonly string[][]): object {
  const children = groups.map((apps) => ({
    type: 'group',
    children: apps.map((appName) => ({ type: 'window', config: { appName } })),
  }));
  const state = { config: { title: name }, context: {}, children: [{ type: 'row', config: {}, children }] };
  return { name, type: 'Workspace', components: [{ type: 'Workspace', state }] };
}

export async function openLayout(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('tab', { name, exact: true }).waitFor();
}

async function boxOf(page: Page, selector: string, text: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await page.locator(selector, { hasText: text }).boundingBox();
  if (box === null) throw new Error(`${text} is not there`);
  return box;
}

/** Drags the tab of a window behind the tab of another. */
export async function dragTab(page: Page, tab: string, behind: string): Promise<void> {
  const from = await boxOf(page, '.layout-tab', tab);
  const to = await boxOf(page, '.layout-tab', behind);
  await page.mouse.move(from.x + 20, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width - 10, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();
}

export async function pressSplitter(page: Page, key: string): Promise<void> {
  const splitter = page.getByRole('separator').first();
  const before = await splitter.getAttribute('aria-valuenow');
  await splitter.focus();
  await page.keyboard.press(key);
  await page.waitForFunction((was) => document.querySelector('[role="separator"]')?.getAttribute('aria-valuenow') !== was, before);
}

/** Closes all that is open, so that the next page finds an empty desk, and leaves. */
export async function leave(page: Page): Promise<void> {
  const tabs = page.locator('[data-workspace]');
  const empty = page.getByRole('heading', { name: 'Nothing is open' });
  while (await tabs.count() > 0) {
    const before = await tabs.count();
    await tabs.first().focus();
    await page.keyboard.press('Delete');
    const sure = page.locator('.ui-dialog-foot button', { hasText: /^Close$/ });
    const gone = page.waitForFunction((was) => document.querySelectorAll('[data-workspace]').length < was, before);
    // Asked only about a workspace that was never saved.
    await Promise.race([gone, sure.click().catch(() => undefined)]);
    await gone;
  }
  await empty.waitFor();
  await page.context().close();
}
