// Pages of applications for the tests, from a server of their own. Each counts, so that it can be seen
// whether it was loaded anew, and says hello as the handshake has it.

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';

export interface PageServer {
  readonly port: number;
  readonly origin: string;
  /** Lets the pages of `/slow` come. */
  hurry(): void;
  stop(): Promise<void>;
}

const COUNT = `
  let count = 0;
  const output = document.querySelector('output');
  setInterval(() => { output.textContent = String(++count); }, 20);
`;

const HELLO = `
  globalThis.heard = [];
  addEventListener('message', ({ source, data, ports: [port] }) => {
    if (source !== parent || data?.type !== 'port') return;
    globalThis.port = port;
    port.onmessage = ({ data }) => globalThis.heard.push(data);
  });
  parent.postMessage({ deskwire: 1, type: 'hello' }, '*');
`;

const FLOOD = `
  const flood = () => {
    for (let i = 0; i < 200; i += 1) parent.postMessage(i % 2 ? { deskwire: 1, type: 'hello' } : { deskwire: 1, type: 'x'.repeat(1_000) }, '*');
    for (let i = 0; i < 200; i += 1) globalThis.port?.postMessage({ type: 'title', title: 'Title ' + i });
    setTimeout(flood, 50);
  };
  flood();
`;

const SCRIPTS: Readonly<Record<string, string>> = { '/quiet': COUNT, '/flood': COUNT + HELLO + FLOOD };

/**
 * `/quiet` says nothing; `/framed` does not let itself be framed; `/slow` waits to be hurried; `/flood` never stops
 * talking; what begins with `/app` is on the bus; anything else says hello.
 */
export async function servePages(port = 0): Promise<PageServer> {
  const script = inject('app');
  let waiting: (() => void)[] | undefined = [];
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://pages').pathname;
    if (path === '/script.js') {
      response.setHeader('content-type', 'text/javascript');
      return response.end(script);
    }
    response.setHeader('content-type', 'text/html');
    if (path === '/framed') response.setHeader('x-frame-options', 'DENY');
    const own = path.startsWith('/app') ? `<script>${COUNT}</script><script src="/script.js"></script>` : `<script>${SCRIPTS[path] ?? COUNT + HELLO}</script>`;
    const send = (): void => {
      response.end(`<!doctype html><html lang="en"><title>${path}</title><link rel="icon" href="data:,"><body><main><h1>${path.slice(1)}</h1><output>0</output><button>b</button></main>${own}`);
    };
    if (path === '/slow' && waiting !== undefined) waiting.push(send);
    else send();
    return undefined;
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    origin: `http://127.0.0.1:${taken}`,
    hurry() {
      for (const send of waiting ?? []) send();
      waiting = undefined;
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
