// One connection, for ever: opened, lost, opened again. Time and the network are arguments.

import { refusalOf } from './port.ts';
import type { Port } from './port.ts';

export interface ConnectionOptions {
  /** Whether the server answers at all, before the library tries for its own long time. */
  readonly reachable: () => Promise<boolean>;
  readonly open: (ended: () => void) => Promise<Port>;
  readonly up: (port: Port) => void;
  readonly down: (reason: string) => void;
  /** Calls back later; gives what calls that off. */
  readonly later: (ms: number, work: () => void) => () => void;
}

export interface Connection {
  /** Tries at once, where it would wait. */
  hurry(): void;
  /** Gives up a connection that is of no use, and tries anew. */
  drop(reason: string): void;
  stop(): void;
}

/** How long to wait before each next try, in milliseconds; the last one holds. */
export const PAUSES = [200, 400, 800, 1_500, 3_000, 5_000] as const;

export function keepConnected({ reachable, open, up, down, later }: ConnectionOptions): Connection {
  let failed = 0;
  let isStopped = false;
  let isTrying = false;
  let port: Port | undefined;
  let callOff = (): void => undefined;

  async function attempt(): Promise<void> {
    callOff();
    if (isStopped || isTrying || port !== undefined) return;
    isTrying = true;
    try {
      if (!(await reachable())) throw new Error('The server does not answer.');
      let isEnded = false;
      const opened = await open(() => {
        isEnded = true;
        lost('The connection to the server was lost.');
      });
      isTrying = false;
      if (isStopped) opened.close();
      if (isStopped || isEnded) return;
      port = opened;
      failed = 0;
      up(opened);
    } catch (error) {
      isTrying = false;
      lost(refusalOf(error).message);
    }
  }

  function lost(reason: string): void {
    port = undefined;
    isTrying = false;
    if (isStopped) return;
    down(reason);
    callOff();
    callOff = later(PAUSES[Math.min(failed, PAUSES.length - 1)] ?? 0, () => void attempt());
    failed += 1;
  }

  void attempt();
  return {
    hurry: () => void attempt(),
    drop(reason) {
      if (port === undefined) return;
      port.close();
      lost(reason);
    },
    stop() {
      isStopped = true;
      callOff();
      port?.close();
    },
  };
}
