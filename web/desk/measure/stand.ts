// What the measurements stand on: the server, with pages that do nothing, and a browser.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { startServer } from '../browser/server.ts';

const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** How many windows the layout `many` has. */
export const WINDOWS = 20;

export interface Stand {
  readonly address: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

export async function startStand(): Promise<Stand> {
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end("<!doctype html><title>page</title><script>parent.postMessage({ deskwire: 1, type: 'hello' }, '*')</script>");
  });
  await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done));
  const { port } = pages.address() as AddressInfo;
  const applications = [{ name: 'page', type: 'window', details: { url: `http://127.0.0.1:${port}/` } }];
  const column = { type: 'column', children: Array.from({ length: 4 }, () => ({ type: 'group', children: [{ type: 'window', config: { appName: 'page' } }] })) };
  const row = { type: 'row', children: Array.from({ length: WINDOWS / 4 }, () => column) };
  const state = { config: { title: 'many' }, context: {}, children: [row] };
  const server = await startServer({ applications, layouts: [{ name: 'many', type: 'Workspace', components: [{ type: 'Workspace', state }] }] });
  const browser = await chromium.launch({ executablePath: process.env['DESKWIRE_CHROMIUM'] ?? '/usr/bin/chromium', args: FLAGS });
  return {
    address: `${server.base}/`,
    browser,
    async close() {
      await browser.close();
      pages.closeAllConnections();
      pages.close();
      await server.end();
    },
  };
}

/** The value below which a part of all lies. */
export function at(sorted: readonly number[], part: number): string {
  return (sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0).toFixed(1);
}
