// The demo page, built and served, in Debian's Chromium.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build, preview } from 'vite';

const CHROMIUM = process.env['DESKWIRE_CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** Browsers that know `light-dark()`; for older ones it would be replaced by what knows no inline `color-scheme`. */
const CSS_TARGET = ['chrome123', 'firefox120', 'safari17.5'];

export interface Demo {
  /** Opens the page anew, and closes the one before: its frames would go on counting. */
  open(query?: string, context?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

export async function startDemo(): Promise<Demo> {
  const outDir = await mkdtemp(join(tmpdir(), 'layout-demo-'));
  const root = new URL('../demo/', import.meta.url).pathname;
  const common = { root, configFile: false as const, logLevel: 'error' as const };
  await build({ ...common, build: { outDir, emptyOutDir: true, cssTarget: CSS_TARGET } });
  const server = await preview({ ...common, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
  const address = server.resolvedUrls?.local[0] ?? '';
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  return {
    async open(query = '', context = {}) {
      await Promise.all(browser.contexts().map((before) => before.close()));
      const page = await (await browser.newContext({ viewport: { width: 1200, height: 800 }, ...context })).newPage();
      page.setDefaultTimeout(60_000);
      page.on('pageerror', (error) => {
        throw error;
      });
      await page.goto(`${address}?${query}`);
      await page.waitForSelector('.layout-host');
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
      await rm(outDir, { recursive: true });
    },
  };
}
