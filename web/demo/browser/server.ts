// The real server with its demo: free port, data folder of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = new URL('../../../', import.meta.url).pathname;
const BINARY = process.env['DESKWIRE_BIN'] ?? join(process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target'), 'debug', 'deskwire');

export interface Server {
  /** Address of the bus. */
  readonly gateway: string;
  /** Address of the MCP server. */
  readonly mcp: string;
  stop(): Promise<void>;
}

export async function startServer(): Promise<Server> {
  const data = await mkdtemp(join(tmpdir(), 'deskwire-demo-'));
  const child = spawn(BINARY, ['up', '--no-open', '--port', '0', '--data', data], { cwd: data, stdio: ['ignore', 'pipe', 'ignore'] });
  const found = new Map<string, string>();
  for await (const line of createInterface(child.stdout)) {
    for (const [address] of line.matchAll(/\b(?:ws|http):\/\/[\w.:[\]]+\/(?:gw|mcp)\b/g)) found.set(address.slice(address.lastIndexOf('/') + 1), address);
    if (found.has('gw') && found.has('mcp')) break;
  }
  child.stdout.resume();
  return {
    gateway: found.get('gw') ?? '',
    mcp: found.get('mcp') ?? '',
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await rm(data, { recursive: true, force: true });
    },
  };
}

export interface Relay {
  readonly gateway: string;
  close(): void;
}

/**
 * A way to the bus for pages that this test serves itself. The server takes pages of its own origins only, so
 * the relay leaves the origin out of the handshake; everything else passes as it is.
 */
export async function relayTo(gateway: string): Promise<Relay> {
  const { hostname, port, host } = new URL(gateway);
  const server = createServer((page) => {
    const bus = connect(Number(port), hostname);
    page.once('data', (head) => {
      bus.write(head.toString('latin1').replace(/^Origin:.*\r\n/im, '').replace(/^Host:.*$/im, `Host: ${host}`), 'latin1');
      page.pipe(bus).pipe(page);
    });
    page.on('error', () => bus.destroy());
    bus.on('error', () => page.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { gateway: `ws://127.0.0.1:${address.port}/gw`, close: () => void server.close() };
}
