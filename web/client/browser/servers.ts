// Origins to play with: small servers, each with its own pages, and a browser that finds them.

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { build } from 'vite';

const CHROMIUM = process.env['DESKWIRE_CHROMIUM'] ?? '/usr/bin/chromium';

/** A host that is not this machine by its name; the browser is told that it is. */
export const FOREIGN = 'desk.example.com';

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      `--host-resolver-rules=MAP ${FOREIGN} 127.0.0.1`,
    ],
  });

export interface Site {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves texts by path: HTML, or JavaScript where the path says so. */
export async function serve(pages: Record<string, string>): Promise<Site> {
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const text = pages[path];
    response.writeHead(text === undefined ? 404 : 200, {
      'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8',
    });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The classic script as it is published. */
export async function starter(): Promise<string> {
  const configFile = new URL('../vite.config.ts', import.meta.url).pathname;
  const built = await build({ configFile, logLevel: 'error', build: { write: false } });
  const [one] = Array.isArray(built) ? built : [built];
  if (one === undefined || !('output' in one)) throw new Error('nothing was built');
  return one.output[0].code;
}
