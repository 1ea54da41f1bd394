// The real server with its demo: free port, data folder of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
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
