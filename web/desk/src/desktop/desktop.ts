// The desktop of this page: bus, state and actions, put together.

import { keepConnected } from '../bus/connection.ts';
import { createLink } from '../bus/link.ts';
import type { Link } from '../bus/link.ts';
import { open } from '../bus/library.ts';
import { refusalOf } from '../bus/port.ts';
import type { Actions } from './actions.ts';
import type { RunningWindow } from './attach.ts';
import { SYSTEM_CLOCK } from './clock.ts';
import { createActions } from './commands.ts';
import { sessionMemory } from './frame-id.ts';
import { beginSession } from './session.ts';
import { followStatus } from './status.ts';
import { createDesktopStore } from './store.ts';
import type { DesktopStore } from './store.ts';

export interface Desktop {
  readonly store: DesktopStore['state'];
  readonly actions: Actions;
  readonly link: Link;
  stop(): void;
}

export interface DesktopOptions {
  readonly window: Window & typeof globalThis;
  /** The pages that run here when a connection begins. */
  readonly running: () => readonly RunningWindow[];
}

export function startDesktop({ window, running }: DesktopOptions): Desktop {
  const { location, document } = window;
  const clock = SYSTEM_CLOCK;
  const { state, dispatch } = createDesktopStore();
  const link = createLink();
  let lastNotice = 0;
  const tell = (text: string): void => {
    lastNotice += 1;
    dispatch({ type: 'notice', notice: { id: lastNotice, text, at: clock.now() } });
  };
  const memory = sessionMemory(() => window.sessionStorage);
  let session = new AbortController();
  let endStatus = (): void => undefined;

  const connection = keepConnected({
    later: clock.later,
    reachable: () => answers(`${location.origin}/healthz`),
    open: (ended) => open({ gateway: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/gw`, ended }),
    up(port) {
      session = new AbortController();
      const { signal } = session;
      link.use(port);
      endStatus();
      endStatus = followStatus(window.EventSource, dispatch);
      beginSession({ port, dispatch, tell, clock, signal, memory, windows: running() }).catch((error: unknown) => {
        if (!signal.aborted) connection.drop(`This page cannot show the desktop: ${refusalOf(error).message}`);
      });
    },
    down: gone,
  });

  function gone(reason: string): void {
    session.abort();
    link.use(undefined);
    dispatch({ type: 'down', reason, at: clock.now() });
  }

  const seen = (): void => {
    if (document.visibilityState === 'visible') connection.hurry();
  };
  window.addEventListener('online', connection.hurry);
  document.addEventListener('visibilitychange', seen);
  return {
    store: state,
    link,
    actions: createActions({ call: link.call, state: state.getState, dispatch, tell, now: clock.now, fetch: window.fetch.bind(window) }),
    stop() {
      window.removeEventListener('online', connection.hurry);
      document.removeEventListener('visibilitychange', seen);
      session.abort();
      endStatus();
      connection.stop();
    },
  };
}

/** How long a server may take to say that it is there, in milliseconds. */
const HEALTH_MS = 4_000;

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(HEALTH_MS) })).ok;
  } catch {
    return false;
  }
}
