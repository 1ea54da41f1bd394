// Pages of applications for the tests, from a server of their own. Each counts, so that it can be seen
// whether it was loaded anew, and says hello as the handshake has it.

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PageServer {
  readonly port: number;
  readonly origin: string;
  stop(): Promise<void>;
}

const SCRIPT = `
  let count = 0;
  const output = document.querySelector('output');
  setInterval(() => { output.textContent = String(++count); }, 20);
  globalThis.heard = [];
  if (document.documentElement.dataset.hello !== undefined) {
    addEventListener('message', ({ source, data, ports: [port] }) => {
      if (source !== parent || data?.type !== 'port') return;
      globalThis.port = port;
      port.onmessage = ({ data }) => globalThis.heard.push(data);
    });
    parent.postMessage({ deskwire: 1, type: 'hello' }, '*');
  }
`;

/** \`/quiet\` says nothing; \`/framed\` does not let itself be framed; anything else says hello. */
export async function servePages(port = 0): Promise<PageServer> {
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://pages').pathname;
    const hello = path === '/quiet' ? '' : ' data-hello';
    response.setHeader('content-type', 'text/html');
    if (path === '/framed') response.setHeader('x-frame-options', 'DENY');
    response.end(`<!doctype html><html${hello}><title>${path}</title><body><h1>${path.slice(1)}</h1><output>0</output><button>b</button><script>${SCRIPT}</script>`);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    origin: `http://127.0.0.1:${taken}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
