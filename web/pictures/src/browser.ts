// A browser that paints the same today and tomorrow: one font, one place, one time, nothing that moves.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** For `chromium.launch`: no calls home, and glyphs that do not depend on the machine. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
];

const NOW = new Date('2026-03-02T09:30:00Z');
const FONT = createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');

/**
 * A context whose pages, and the frames in them, show Inter, stand still, and believe that it is a Monday
 * morning in London. Neither the font nor the rule is fetched, so no policy of a page refuses them.
 */
export async function steady(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London', reducedMotion: 'reduce', ...options });
  await context.clock.setFixedTime(NOW);
  await context.addInitScript((font) => {
    const bytes = Uint8Array.from(atob(font), (letter) => letter.charCodeAt(0));
    document.fonts.add(new FontFace('Kept', bytes.buffer, { weight: '100 900' }));
    const sheet = new CSSStyleSheet();
    // Above what a desk tells its pages.
    sheet.replaceSync(":root { --font-sans: 'Kept' !important; --font-mono: 'Kept' !important }");
    document.adoptedStyleSheets = [sheet];
  }, readFileSync(FONT).toString('base64'));
  return context;
}

/** The page as it is once its fonts are there and it has painted. */
export async function settled(page: Page): Promise<Buffer> {
  for (const frame of page.frames()) {
    await frame.evaluate(async () => {
      await document.fonts.ready;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
  }
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}
