// Serves the built pages as the server will, under the same policy, and a page that plays the desk.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { once } from 'node:events';

const TYPES: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };

export interface Site {
  readonly port: number;
  close(): void;
}

/** `folder` on `demo.localhost`, with `gateway` in the policy; on every other name the page that plays the desk. */
export async function serve(folder: string, gateway: string): Promise<Site> {
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${new URL(gateway).origin}; img-src 'self' data:; font-src 'self'`;
  const server = createServer(async ({ url = '/', headers }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    if (!headers.host?.startsWith('demo.localhost:')) {
      response.setHeader('content-type', 'text/html').end(DESK);
      return;
    }
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    try {
      const text = await readFile(join(folder, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain', 'content-security-policy': policy }).end(text);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Shows one page over its whole width, and answers it as the desk does. `show(url, start)` begins. */
const DESK = `<!doctype html><html lang="en"><title>Desk</title>
<style>html, body { height: 100%; margin: 0 } iframe { width: 100%; height: 100%; border: 0; display: block }</style>
<iframe title="Window"></iframe>
<script>
  window.titles = [];
  window.show = (url, start) => {
    const frame = document.querySelector('iframe');
    addEventListener('message', ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== new URL(url).origin || data?.deskwire !== 1 || data.type !== 'hello') return;
      window.port?.close();
      const { port1, port2 } = new MessageChannel();
      window.port = port1;
      port1.onmessage = ({ data }) => titles.push(data.title);
      source.postMessage({ deskwire: 1, type: 'port' }, origin, [port2]);
      port1.postMessage(start);
    });
    frame.src = url;
  };
</script></html>`;
