// One page in a window, as a state machine: what the platform, the page and time say comes in; the next
// state and what is to be done come out. Nothing here touches a browser.
//
//   empty ─told: an instance runs─► asking ─ticket─► loading ─hello, or loaded and in order─► there
//     ▲                                │               │  ▲                                    │
//     └── waiting, missing ────────────┴───────────────┤  └─ again: a new instance ◄─ down ◄───┘
//                                                      └─ nobody there, refused, failed ─► down

import type { WindowState } from '../desktop/model.ts';

/** What the platform says of the window. */
export interface Facts {
  readonly state: WindowState;
  readonly instanceId?: string | undefined;
  readonly reason?: string | undefined;
}

/** What a page is loaded with. */
export interface Ticket {
  readonly instanceId: string;
  readonly application: string;
  /** Checked: http or https, and not the desk's own origin. */
  readonly url: string;
  readonly gatewayUrl: string;
  readonly gatewayToken: string;
  readonly startingContext: Readonly<Record<string, unknown>>;
  readonly workspaceId?: string | undefined;
}

/** Why there is no page to be seen. */
export interface Trouble {
  readonly kind: 'unreachable' | 'slow' | 'status' | 'framing' | 'address' | 'missing' | 'failed';
  readonly reason: string;
  readonly fix?: string | undefined;
}

/** What the server found when it asked for the page itself. */
export type Probe = { readonly ok: true } | { readonly ok: false; readonly trouble: Trouble };

export type Timer =
  /** Since when a person should see that something goes on. */
  | 'late'
  /** … that it takes too long. */
  | 'slow'
  /** The page has loaded and said nothing. */
  | 'unheard'
  /** Something that was down is asked for again. */
  | 'again';

export type Stage = 'empty' | 'asking' | 'loading' | 'there' | 'down';

export interface PageState {
  readonly stage: Stage;
  readonly facts: Facts | undefined;
  /** The instance that a ticket was asked for. */
  readonly asked: string | undefined;
  /** What is in the frame, or was last. */
  readonly ticket: Ticket | undefined;
  /** Whether the page in the frame has said hello. */
  readonly greeted: boolean;
  /** Whether the browser says that it has loaded: a page, or its own words that there is none. */
  readonly loaded: boolean;
  readonly patience: 'fresh' | 'late' | 'slow';
  /** Whether the connection to the server was lost since the page was loaded. */
  readonly outlived: boolean;
  readonly trouble: Trouble | undefined;
  /** How often it was found down, one time after the other. */
  readonly tries: number;
}

export type PageEvent =
  | { readonly type: 'told'; readonly facts: Facts }
  | { readonly type: 'ticket'; readonly ticket: Ticket }
  | { readonly type: 'no-ticket'; readonly instanceId: string; readonly trouble: Trouble }
  /** The connection to the server was lost; pages live on. */
  | { readonly type: 'disconnected' }
  | { readonly type: 'loaded' }
  | { readonly type: 'hello' }
  | { readonly type: 'time'; readonly timer: Timer }
  /** Without a probe where the server cannot say. */
  | { readonly type: 'probed'; readonly probe: Probe | undefined }
  /** The person wants it to be tried again. */
  | { readonly type: 'try-again' }
  /** The person wants to see what is there all the same. */
  | { readonly type: 'show-anyway' };

export type Effect =
  | { readonly do: 'ask'; readonly instanceId: string }
  | { readonly do: 'navigate'; readonly url: string }
  /** Takes the page out of the window. */
  | { readonly do: 'unload' }
  /** Tells the page over its port who it is now. */
  | { readonly do: 'start' }
  | { readonly do: 'report'; readonly state: 'loaded' | 'failed'; readonly reason?: string }
  | { readonly do: 'probe' }
  /** Asks the platform for a new instance. */
  | { readonly do: 'reload' }
  | { readonly do: 'wait'; readonly timer: Timer; readonly ms: number }
  /** Calls off all timers. */
  | { readonly do: 'calm' };

export interface Step {
  readonly state: PageState;
  readonly effects: readonly Effect[];
}

export const EMPTY: PageState = {
  stage: 'empty',
  facts: undefined,
  asked: undefined,
  ticket: undefined,
  greeted: false,
  loaded: false,
  patience: 'fresh',
  outlived: false,
  trouble: undefined,
  tries: 0,
};

/** In milliseconds. A page that says hello mostly does before it has loaded. */
export const WAITS = { late: 400, slow: 10_000, unheard: 300 } as const;
const AGAIN_MS = [5_000, 10_000, 20_000, 30_000] as const;

/** Troubles of which the platform tells; the others are found out here. */
const TOLD: ReadonlySet<Trouble['kind']> = new Set(['failed', 'missing']);

/** Troubles that may end by themselves. */
const PASSING: ReadonlySet<Trouble['kind']> = new Set(['unreachable', 'slow', 'status']);

export function step(state: PageState, event: PageEvent): Step {
  switch (event.type) {
    case 'told':
      return told({ ...state, facts: event.facts }, event.facts);
    case 'ticket':
      return ticketed(state, event.ticket);
    case 'no-ticket':
      return event.instanceId === state.asked ? fail(state, event.trouble) : same(state);
    case 'disconnected':
      // Whatever was asked for is never answered.
      return same({ ...state, outlived: true, asked: undefined, stage: state.stage === 'asking' ? 'empty' : state.stage });
    case 'loaded':
      return loaded(state);
    case 'hello':
      return state.ticket === undefined || state.stage === 'empty' ? same(state) : arrive({ ...state, greeted: true });
    case 'time':
      return timed(state, event.timer);
    case 'probed':
      return probed(state, event.probe);
    case 'try-again':
      return { state: { ...state, trouble: undefined, tries: 0, patience: 'late' }, effects: [{ do: 'calm' }, { do: 'reload' }] };
    case 'show-anyway':
      return state.stage === 'down' && state.ticket !== undefined ? arrive(state) : same(state);
  }
}

function told(state: PageState, { state: now, instanceId, reason }: Facts): Step {
  switch (now) {
    case 'waiting':
      return { state: { ...EMPTY, facts: state.facts }, effects: [{ do: 'calm' }, { do: 'unload' }] };
    case 'missing': {
      const trouble: Trouble = { kind: 'missing', reason: reason ?? 'there is no such application' };
      return { state: { ...EMPTY, facts: state.facts, stage: 'down', trouble }, effects: [{ do: 'calm' }, { do: 'unload' }] };
    }
    case 'failed': {
      // What we found out ourselves says more than what comes back of it.
      if (state.stage === 'down' && state.trouble !== undefined && !TOLD.has(state.trouble.kind)) return tryAgain(state);
      const trouble: Trouble = { kind: 'failed', reason: reason ?? 'it does not say why' };
      return { state: { ...state, stage: 'down', asked: undefined, trouble }, effects: [{ do: 'calm' }] };
    }
    case 'loading':
    case 'ready':
      return runs(state, now, instanceId);
  }
}

function runs(state: PageState, now: 'loading' | 'ready', instanceId: string | undefined): Step {
  if (instanceId === undefined || instanceId === state.asked) return same(state);
  if (instanceId !== state.ticket?.instanceId || state.stage === 'empty') {
    const stage = state.stage === 'there' ? 'there' : 'asking';
    const next: PageState = { ...state, asked: instanceId, stage, patience: 'fresh' };
    return { state: next, effects: [{ do: 'ask', instanceId }, ...(stage === 'asking' ? [wait('late')] : [])] };
  }
  if (state.stage !== 'there') return same(state);
  // The frame was attached anew, and the page is what and where it was: a later instance is wanted by somebody.
  return { state: { ...state, outlived: false }, effects: now === 'loading' ? [{ do: 'report', state: 'loaded' }] : [] };
}

function ticketed(state: PageState, ticket: Ticket): Step {
  if (ticket.instanceId !== state.asked) return same(state);
  const stays = state.stage === 'there' && state.outlived && state.ticket?.url === ticket.url;
  // A trouble is true until the page is there: what is tried again by itself is not to flicker.
  const next: PageState = { ...state, ticket, asked: undefined, outlived: false };
  if (stays) {
    // The server is another one. A page that never spoke to us has nothing to hear of it.
    const start: Effect[] = state.greeted ? [{ do: 'start' }] : [];
    return { state: next, effects: [...start, { do: 'report', state: 'loaded' }] };
  }
  return {
    state: { ...next, stage: 'loading', greeted: false, loaded: false, patience: 'fresh' },
    effects: [{ do: 'calm' }, { do: 'navigate', url: ticket.url }, wait('late'), wait('slow')],
  };
}

function loaded(state: PageState): Step {
  if (state.stage !== 'loading') return same({ ...state, loaded: true });
  const next = { ...state, loaded: true };
  return state.greeted ? arrive(next) : { state: next, effects: [wait('unheard')] };
}

/** The page is there. */
function arrive(state: PageState): Step {
  if (state.stage === 'there') return same(state);
  const next: PageState = { ...state, stage: 'there', trouble: undefined, tries: 0, outlived: false };
  return { state: next, effects: [{ do: 'calm' }, { do: 'report', state: 'loaded' }] };
}

function timed(state: PageState, timer: Timer): Step {
  const isComing = state.stage === 'loading' || state.stage === 'asking';
  switch (timer) {
    case 'late':
      return same(isComing && state.patience === 'fresh' ? { ...state, patience: 'late' } : state);
    case 'slow':
      return state.stage === 'loading' ? { state: { ...state, patience: 'slow' }, effects: [{ do: 'probe' }] } : same(state);
    case 'unheard':
      return state.stage === 'loading' && !state.greeted ? { state, effects: [{ do: 'probe' }] } : same(state);
    case 'again':
      return state.stage === 'down' ? { state, effects: [{ do: 'probe' }] } : same(state);
  }
}

function probed(state: PageState, probe: Probe | undefined): Step {
  if (state.stage === 'down') {
    if (probe?.ok === false) return tryAgain({ ...state, trouble: probe.trouble, tries: state.tries + 1 });
    // It is in order, or nobody can say: whether it is there is seen by loading it.
    return { state, effects: [{ do: 'calm' }, { do: 'reload' }] };
  }
  if (state.stage !== 'loading' || state.greeted) return same(state);
  // What the browser has is worth more than that the server had to wait for it.
  const isDown = probe?.ok === false && !(state.loaded && probe.trouble.kind === 'slow');
  if (isDown) return fail(state, probe.trouble);
  return state.loaded ? arrive(state) : same(state);
}

function fail(state: PageState, trouble: Trouble): Step {
  const next = tryAgain({ ...state, stage: 'down', asked: undefined, trouble, tries: state.tries + 1 });
  return { ...next, effects: [{ do: 'calm' }, { do: 'report', state: 'failed', reason: trouble.reason }, ...next.effects] };
}

function tryAgain(state: PageState): Step {
  const { trouble, tries } = state;
  if (trouble === undefined || !PASSING.has(trouble.kind)) return same(state);
  const ms = AGAIN_MS[Math.min(Math.max(tries - 1, 0), AGAIN_MS.length - 1)] ?? 30_000;
  return { state, effects: [{ do: 'wait', timer: 'again', ms }] };
}

function wait(timer: keyof typeof WAITS): Effect {
  return { do: 'wait', timer, ms: WAITS[timer] };
}

function same(state: PageState): Step {
  return { state, effects: [] };
}
