// The server under test, started for real: a free port, a data folder and a configuration of its own.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '../../..');

const BINARY = resolve(
  process.env['DESKWIRE_BIN'] ?? join(process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target'), 'debug', 'deskwire'),
);

export interface Server {
  readonly port: number;
  readonly base: string;
  /** The folder with the configuration and the definitions. */
  readonly folder: string;
  define(applications: readonly object[], layouts?: readonly object[]): Promise<void>;
  kill(): Promise<void>;
  /** Starts it again, on the same port and data. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

export interface Definitions {
  readonly applications: readonly object[];
  readonly layouts: readonly object[];
  /** Origins whose pages may join the bus. */
  readonly origins?: readonly string[];
}

/** Without definitions it shows its demo desktop. */
export async function startServer(definitions?: Definitions): Promise<Server> {
  if (!existsSync(BINARY)) throw new Error(`no binary at ${BINARY}: cargo build -p deskwire`);
  const folder = await mkdtemp(join(tmpdir(), 'desk-server-'));
  const config = join(folder, 'deskwire.json');
  const configured = definitions === undefined ? [] : ['--config', config];
  let child: ChildProcess | undefined;
  let port = 0;

  async function define(apps: readonly object[], saved?: readonly object[]): Promise<void> {
    await writeFile(join(folder, 'apps.json'), JSON.stringify(apps));
    if (saved !== undefined) await writeFile(join(folder, 'layouts.json'), JSON.stringify(saved));
  }

  async function start(): Promise<void> {
    const args = ['up', '--no-open', '--port', String(port), '--data', join(folder, 'data'), ...configured];
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('DESKWIRE_')));
    const started = spawn(BINARY, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    let said = '';
    started.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-4_000)));
    for await (const line of createInterface(started.stdout)) {
      const found = /^\s*gateway\s+ws:\/\/[^:]+:(\d+)/.exec(line);
      if (found === null) continue;
      port = Number(found[1]);
      started.stdout.resume();
      return;
    }
    throw new Error(`the server ended before it was ready:\n${said}`);
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    await ended;
  }

  if (definitions !== undefined) {
    const { applications, layouts, origins = [] } = definitions;
    const platform = { applications: ['apps.json'], layouts: ['layouts.json'] };
    await writeFile(config, JSON.stringify({ listen: { allowedOrigins: origins }, platform }));
    await define(applications, layouts);
  }
  await start();
  return {
    port,
    base: `http://127.0.0.1:${port}`,
    folder,
    define,
    kill: () => stop('SIGKILL'),
    restart: start,
    async end() {
      await stop('SIGTERM');
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
