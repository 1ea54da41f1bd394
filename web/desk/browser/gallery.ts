// The gallery, built and served under the policy of the desk, in Debian's Chromium.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FLAGS, steady } from '@deskwire/pictures';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { build, preview } from 'vite';
import type { Name } from '../gallery/names.ts';

const CHROMIUM = process.env['DESKWIRE_CHROMIUM'] ?? '/usr/bin/chromium';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** As small as a desk is used in earnest: more would make the pictures larger, and say no more. */
const WIDE = { width: 1024, height: 640 };

export interface Gallery {
  /** Opens a state in the one page, as wide as a desk. */
  open(state: Name, theme?: 'light' | 'dark'): Promise<Page>;
  /** What went wrong in a page since the last question: errors, and what the policy refused. */
  faults(): readonly string[];
  close(): Promise<void>;
}

export async function startGallery(): Promise<Gallery> {
  const outDir = await mkdtemp(join(tmpdir(), 'desk-gallery-'));
  const configFile = join(import.meta.dirname, '../gallery/vite.config.ts');
  await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } });
  const server = await preview({
    configFile,
    logLevel: 'error',
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1', headers: { 'Content-Security-Policy': POLICY } },
  });
  const address = server.resolvedUrls?.local[0] ?? '';
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const context = await steady(browser, { viewport: WIDE, permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  let faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  return {
    async open(state, theme = 'light') {
      await page.setViewportSize(WIDE);
      await page.goto(`${address}?state=${state}&theme=${theme}`);
      await page.waitForSelector('.chrome');
      await page.evaluate(() => document.fonts.ready);
      return page;
    },
    faults() {
      const since = faults;
      faults = [];
      return since;
    },
    async close() {
      await browser.close();
      await server.close();
      await rm(outDir, { recursive: true });
    },
  };
}
