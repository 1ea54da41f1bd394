// One window: its state machine, and hands for what the machine wants done.

import type { Link } from '../bus/link.ts';
import { refusalOf } from '../bus/port.ts';
import type { DesktopState, WindowInfo } from '../desktop/model.ts';
import type { RunningWindow } from '../desktop/attach.ts';
import type { Clock } from '../desktop/clock.ts';
import type { Theme as Look } from '../theme/theme.ts';
import { coverOf } from './cover.ts';
import { countHello, readTitle, startMessage } from './handshake.ts';
import { createPace } from './pace.ts';
import { EMPTY, step } from './page.ts';
import type { Effect, Facts, PageEvent, PageState } from './page.ts';
import { readProbe, readTicket } from './ticket.ts';
import { createView } from './view.ts';

/** Refusals of a ticket that say that something else is true by now. */
const PASSING: ReadonlySet<string> = new Set(['down', 'not-running', 'not-yours', 'unknown-window']);

/** A server that does not offer it is not waited for: the page lies under its cover meanwhile. */
const PROBE = { discoverMs: 250, answerMs: 15_000 } as const;

/** How often the title that a page gives is passed on, in milliseconds; a page may count in it. */
const TITLE_MS = 500;

export interface WindowOptions {
  readonly host: HTMLElement;
  readonly workspaceId: string;
  readonly itemId: string;
  readonly call: Link['call'];
  readonly reload: () => void;
  readonly look: () => Look;
  /** What to call an application. */
  readonly nameOf: (appName: string) => string;
  readonly clock: Clock;
  readonly ownOrigin: string;
}

export interface DeskWindow {
  readonly workspaceId: string;
  readonly itemId: string;
  /** What the state of the desktop says of it now. */
  update(state: DesktopState): void;
  disconnected(): void;
  /** A hello from the page in the frame. */
  hello(origin: string): void;
  themed(): void;
  frame(): HTMLIFrameElement | undefined;
  /** The page that runs in it, if one does. */
  running(): RunningWindow | undefined;
  destroy(): void;
}

export function createWindow(options: WindowOptions): DeskWindow {
  const { host, workspaceId, itemId, call, clock, ownOrigin } = options;
  const timers = new Map<string, () => void>();
  let state: PageState = EMPTY;
  let info: WindowInfo | undefined;
  let told: Facts | undefined;
  let port: MessagePort | undefined;
  let hellos: readonly number[] = [];
  const name = (): string => (info === undefined ? 'The window' : options.nameOf(info.appName));
  const view = createView({
    host,
    loaded: () => send({ type: 'loaded' }),
    tryAgain: () => send({ type: 'try-again' }),
    showAnyway: () => send({ type: 'show-anyway' }),
  });

  const titles = createPace<string>(TITLE_MS, clock, (title) => {
    if (title !== info?.title) void report({ title });
  });

  function send(event: PageEvent): void {
    const next = step(state, event);
    state = next.state;
    next.effects.forEach(perform);
    view.cover(coverOf(state, name()));
  }

  function perform(effect: Effect): void {
    switch (effect.do) {
      case 'ask':
        return void ask(effect.instanceId);
      case 'navigate':
        closePort();
        return view.navigate(effect.url, name());
      case 'unload':
        closePort();
        return view.unload();
      case 'start':
        return start();
      case 'report':
        return void report(effect.reason === undefined ? { state: effect.state } : { state: effect.state, reason: effect.reason });
      case 'probe':
        return void probe();
      case 'reload':
        return options.reload();
      case 'wait':
        timers.get(effect.timer)?.();
        timers.set(effect.timer, clock.later(effect.ms, () => send({ type: 'time', timer: effect.timer })));
        return undefined;
      case 'calm':
        for (const callOff of timers.values()) callOff();
        return timers.clear();
    }
  }

  async function ask(instanceId: string): Promise<void> {
    try {
      const read = readTicket(await call('Deskwire.Frame.Window', { windowId: info?.windowId }), ownOrigin);
      send(read.ok ? { type: 'ticket', ticket: read.ticket } : { type: 'no-ticket', instanceId, trouble: read.trouble });
    } catch (error) {
      const { code, message } = refusalOf(error);
      // It has just ended, or the connection has: news of that comes by itself.
      if (!PASSING.has(code)) send({ type: 'no-ticket', instanceId, trouble: { kind: 'failed', reason: message } });
    }
  }

  async function report(what: object): Promise<void> {
    try {
      await call('Deskwire.Frame.Report', { windowId: info?.windowId, ...what });
    } catch {
      // The window is not ours any more, or the connection is gone: news of that comes by itself.
    }
  }

  async function probe(): Promise<void> {
    const answer = await call('Deskwire.Frame.Probe', { windowId: info?.windowId, origin: ownOrigin }, PROBE).catch(() => undefined);
    send({ type: 'probed', probe: readProbe(answer) });
  }

  function closePort(): void {
    port?.close();
    port = undefined;
  }

  function start(): void {
    if (port === undefined || state.ticket === undefined) return;
    port.postMessage(startMessage(state.ticket, workspaceId, options.look()));
  }

  function listen(to: MessagePort): void {
    to.onmessage = ({ data }: MessageEvent<unknown>) => {
      const title = readTitle(data);
      if (title !== undefined && to === port) titles.push(title);
    };
  }

  return {
    workspaceId,
    itemId,
    update(desktop) {
      info = desktop.workspaces.get(workspaceId)?.windows.get(itemId);
      if (info === undefined) return;
      view.name(name());
      const facts: Facts = { state: info.state, instanceId: info.instanceId, reason: info.reason };
      if (told?.state === facts.state && told.instanceId === facts.instanceId && told.reason === facts.reason) return;
      told = facts;
      send({ type: 'told', facts });
    },
    disconnected() {
      told = undefined;
      send({ type: 'disconnected' });
    },
    hello(origin) {
      const page = view.frame()?.contentWindow;
      if (page === null || page === undefined || state.ticket === undefined) return;
      if (origin !== new URL(state.ticket.url).origin) return;
      const counted = countHello(hellos, clock.now());
      if (counted === undefined) return;
      hellos = counted;
      closePort();
      const { port1, port2 } = new MessageChannel();
      port = port1;
      listen(port1);
      page.postMessage({ deskwire: 1, type: 'port' }, origin, [port2]);
      start();
      send({ type: 'hello' });
    },
    themed() {
      port?.postMessage({ type: 'theme', ...options.look() });
    },
    frame: view.frame,
    running() {
      if (state.stage !== 'there' || info === undefined || state.ticket === undefined) return undefined;
      const { instanceId, gatewayToken } = state.ticket;
      return { windowId: info.windowId, instanceId, gatewayToken };
    },
    destroy() {
      for (const callOff of timers.values()) callOff();
      timers.clear();
      titles.stop();
      closePort();
      state = EMPTY;
      view.unload();
    },
  };
}
