// What each piece of news makes of the desktop. Pure: news in, the next state out.

import type { Application, Channel, DesktopState, Frame, LayoutInfo, Notice, Status, Workspace } from './model.ts';

export type DeskEvent =
  | { readonly type: 'connecting' }
  | { readonly type: 'up' }
  | { readonly type: 'down'; readonly reason: string; readonly at: number }
  | { readonly type: 'attached'; readonly frameId: string }
  /** All frames and workspaces; what is not among them is gone. */
  | { readonly type: 'snapshot'; readonly frames: readonly Frame[]; readonly workspaces: readonly Workspace[] }
  | { readonly type: 'workspace'; readonly workspace: Workspace }
  | { readonly type: 'workspace-closed'; readonly id: string }
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'frame-closed'; readonly id: string }
  | ({ readonly type: 'applications' } & Records<Application>)
  | ({ readonly type: 'layouts' } & Records<LayoutInfo>)
  | { readonly type: 'channels'; readonly channels: readonly Channel[] }
  | { readonly type: 'memberships'; readonly memberships: ReadonlyMap<string, string> }
  | { readonly type: 'status'; readonly status: Status | undefined }
  | { readonly type: 'notice'; readonly notice: Notice }
  | { readonly type: 'dismissed'; readonly id: number }
  | { readonly type: 'saved'; readonly at: number };

interface Records<T> {
  /** Whether all that was known before is gone. */
  readonly isSnapshot: boolean;
  readonly put: readonly T[];
  readonly removed: readonly string[];
  /** Old and new name of what is otherwise as it was. */
  readonly renamed?: readonly (readonly [string, string])[];
}

/** More notices than these at once are no help to anybody; the oldest goes. */
const MAX_NOTICES = 5;

export const INITIAL: DesktopState = {
  connection: { state: 'connecting' },
  frames: new Map(),
  workspaces: new Map(),
  applications: [],
  layouts: [],
  channels: [],
  memberships: new Map(),
  notices: [],
};

export function reduce(state: DesktopState, event: DeskEvent): DesktopState {
  switch (event.type) {
    case 'connecting':
      return { ...state, connection: { state: 'connecting' } };
    case 'up':
      return { ...state, connection: { state: 'up' } };
    case 'down':
      return down(state, event.reason, event.at);
    case 'attached':
      return { ...state, frameId: event.frameId };
    case 'snapshot':
      return { ...state, frames: byId(event.frames), workspaces: byId(event.workspaces) };
    case 'workspace':
      return put(state, event.workspace);
    case 'workspace-closed':
      return { ...state, workspaces: without(state.workspaces, event.id) };
    case 'frame':
      return { ...state, frames: new Map(state.frames).set(event.frame.id, event.frame) };
    case 'frame-closed':
      return { ...state, frames: without(state.frames, event.id) };
    case 'applications':
      return { ...state, applications: merged(state.applications, event, ({ title }) => title) };
    case 'layouts':
      return { ...state, layouts: merged(state.layouts, event, ({ name }) => name) };
    case 'channels':
      return { ...state, channels: event.channels };
    case 'memberships':
      return sameEntries(state.memberships, event.memberships) ? state : { ...state, memberships: event.memberships };
    case 'status': {
      const { status: _, ...rest } = state;
      return event.status === undefined ? rest : { ...rest, status: event.status };
    }
    case 'notice':
      return { ...state, notices: [...state.notices, event.notice].slice(-MAX_NOTICES) };
    case 'dismissed':
      return { ...state, notices: state.notices.filter(({ id }) => id !== event.id) };
    case 'saved':
      return { ...state, savedAt: event.at };
  }
}

/** Since when it is down is when it went, not when it was last tried. */
function down(state: DesktopState, reason: string, at: number): DesktopState {
  const { connection } = state;
  return { ...state, connection: { state: 'down', reason, since: connection.state === 'down' ? connection.since : at } };
}

/** An answer may come later than news that is newer. */
function put(state: DesktopState, workspace: Workspace): DesktopState {
  const known = state.workspaces.get(workspace.id);
  if (known !== undefined && known.rev > workspace.rev) return state;
  return { ...state, workspaces: new Map(state.workspaces).set(workspace.id, workspace) };
}

function byId<T extends { readonly id: string }>(all: readonly T[]): Map<string, T> {
  return new Map(all.map((one) => [one.id, one]));
}

function without<T>(all: ReadonlyMap<string, T>, id: string): ReadonlyMap<string, T> {
  if (!all.has(id)) return all;
  const rest = new Map(all);
  rest.delete(id);
  return rest;
}

function merged<T extends { readonly name: string }>(known: readonly T[], news: Records<T>, order: (one: T) => string): T[] {
  const all = new Map((news.isSnapshot ? [] : known).map((one) => [one.name, one]));
  for (const name of news.removed) all.delete(name);
  for (const [from, to] of news.renamed ?? []) {
    const one = all.get(from);
    all.delete(from);
    if (one !== undefined) all.set(to, { ...one, name: to });
  }
  for (const one of news.put) all.set(one.name, one);
  return [...all.values()].sort((a, b) => order(a).localeCompare(order(b)));
}

function sameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
