// The actions, as calls.

import { refusalOf } from '../bus/port.ts';
import type { Actions } from './actions.ts';
import { channelsInfo } from './channels.ts';
import { createEdits } from './edits.ts';
import type { Context, DesktopState } from './model.ts';
import { readMemberships } from './read/channels.ts';
import { fieldsOf } from './read/fields.ts';
import { readWorkspace } from './read/frames.ts';
import { readFindings } from './read/status.ts';
import type { DeskEvent } from './reduce.ts';
import { ownWorkspaces, placeForNew, selectedWorkspace } from './select.ts';

export interface CommandOptions {
  readonly call: (method: string, given: object) => Promise<unknown>;
  readonly state: () => DesktopState;
  readonly dispatch: (event: DeskEvent) => void;
  readonly tell: (text: string) => void;
  readonly now: () => number;
  readonly fetch: typeof fetch;
}

/** Those applications that have no page of their own. */
const PROGRAMS: ReadonlySet<string> = new Set(['exe', 'node', 'clickonce', 'workspaces']);

export function createActions({ call, state, dispatch, tell, now, fetch }: CommandOptions): Actions {
  const titleOf = (id: string): string => state().workspaces.get(id)?.title ?? 'The workspace';

  /** Does it, or says why not: `what` is the beginning of a sentence. */
  async function attempt(what: string, work: () => Promise<boolean | void>): Promise<boolean> {
    try {
      return (await work()) ?? true;
    } catch (error) {
      const { message } = refusalOf(error);
      tell(`${what}: ${message.replace(/[.\s]+$/, '')}.`);
      return false;
    }
  }

  const control = (operation: string, operationArguments: object): Promise<unknown> =>
    call('T42.Workspaces.Control', { operation, operationArguments });

  const take = (value: unknown): void => {
    const workspace = readWorkspace(value);
    if (workspace !== undefined) dispatch({ type: 'workspace', workspace });
  };

  const propose = createEdits({
    call,
    revisionOf: (id) => state().workspaces.get(id)?.rev,
    stale: (workspace) => dispatch({ type: 'workspace', workspace }),
  });

  async function startWindow(appName: string, context: Context | undefined): Promise<boolean> {
    const item = { type: 'window', appName, ...(context === undefined ? {} : { context }) };
    const selected = selectedWorkspace(state());
    if (selected !== undefined) return await propose(selected.id, { op: 'insert', item, place: placeForNew(selected) });
    const children = [{ type: 'group', children: [item] }];
    await control('createWorkspace', { children, config: { title: freshTitle(state()) }, frame: here(state()) });
    return true;
  }

  return {
    startApplication(name, context) {
      const application = state().applications.find((one) => one.name === name);
      return attempt(`${application?.title ?? name} did not start`, async () => {
        if (!PROGRAMS.has(application?.type ?? 'window')) return await startWindow(name, context);
        await call('T42.ACS.StartApplication', { Name: name, Context: context ?? {}, Options: {} });
        return true;
      });
    },
    createWorkspace: () =>
      attempt('There is no new workspace', async () => {
        await control('createWorkspace', { children: [], config: { title: freshTitle(state()) }, frame: here(state()) });
      }),
    openLayout: (name) =>
      attempt(`${name} did not open`, async () => {
        const { frameId } = state();
        await control('openWorkspace', { name, restoreOptions: frameId === undefined ? {} : { frameId } });
      }),
    deleteLayout: (name) => attempt(`${name} was not deleted`, async () => void (await control('deleteLayout', { name }))),
    selectWorkspace: (id) => attempt(`${titleOf(id)} was not selected`, () => propose(id, { op: 'select-workspace' })),
    closeWorkspace: (id) => attempt(`${titleOf(id)} was not closed`, async () => void (await control('closeWorkspace', { itemId: id }))),
    renameWorkspace: (id, title) => attempt(`${titleOf(id)} was not renamed`, () => propose(id, { op: 'rename', title })),
    saveWorkspace: (id, name) =>
      attempt(`${titleOf(id)} was not saved`, async () => {
        await control('saveLayout', { name, workspaceId: id, saveContext: true });
        dispatch({ type: 'saved', at: now() });
      }),
    claim: (id) =>
      attempt(`${titleOf(id)} did not come here`, async () => {
        take(fieldsOf(await call('Deskwire.Frame.Claim', { workspaceId: id }))?.['workspace']);
      }),
    edit: (id, edit) => attempt(`${titleOf(id)} was not changed`, () => propose(id, edit)),
    joinChannel: (instanceId, channel) =>
      attempt(channel === undefined ? 'The application stays on its channel' : `The application did not join ${channel}`, async () => {
        const command = { command: 'switchChannel', swId: instanceId, data: { newChannel: channel ?? '' } };
        await call('T42.Channels.Announce', command);
        dispatch({ type: 'memberships', memberships: readMemberships(await channelsInfo({ call })) });
      }),
    async findings(capabilities) {
      const answer = await fetch(`/api/diagnostics?as=${capabilities.map(encodeURIComponent).join(',')}`);
      if (!answer.ok) throw new Error(`the server answered with status ${answer.status}`);
      return readFindings(await answer.json());
    },
    dismiss: (id) => dispatch({ type: 'dismissed', id }),
  };
}

function here({ frameId }: DesktopState): object {
  return frameId === undefined ? {} : { reuseFrameId: frameId };
}

/** `Workspace`, or `Workspace 2`, `Workspace 3`, … where that is taken. */
function freshTitle(state: DesktopState): string {
  const taken = new Set(ownWorkspaces(state).map(({ title }) => title));
  for (let number = 1; ; number += 1) {
    const title = number === 1 ? 'Workspace' : `Workspace ${number}`;
    if (!taken.has(title)) return title;
  }
}
