// What a person can do, once: the menu, the launcher and the keys all do these.

import type { Actions } from '../desktop/actions.ts';
import type { Channel, DesktopState, LayoutInfo, Workspace } from '../desktop/model.ts';
import { titleOfLayout, windowName } from '../desktop/select.ts';
import type { Themes } from '../theme/theme.ts';
import { currentWorkspace, focusedWindow } from '../ui/current.ts';
import type { Shell } from './shell.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  /** What it does, where the title does not say all. */
  readonly detail?: string | undefined;
  readonly keys?: string;
  /** Why it cannot be done now, in words. */
  readonly unavailable?: string | undefined;
  run(): void;
}

export interface Hands {
  readonly state: DesktopState;
  readonly actions: Actions;
  readonly shell: Shell;
  readonly themes: Themes;
}

const NO_WORKSPACE = 'No workspace is open.';

/** Why nothing can be asked of the server now. */
export function offline(state: DesktopState): string | undefined {
  if (state.connection.state === 'up') return undefined;
  return state.connection.state === 'down' ? 'The bus is down.' : 'The bus is not there yet.';
}

/** A workspace that is not saved and holds something would be lost. */
export function isLostByClosing(workspace: Workspace): boolean {
  return workspace.layoutName === undefined && workspace.windows.size > 0;
}

export function closeWorkspace(workspace: Workspace, { actions, shell }: Pick<Hands, 'actions' | 'shell'>): void {
  if (isLostByClosing(workspace)) shell.show({ kind: 'close', workspaceId: workspace.id });
  else void actions.closeWorkspace(workspace.id);
}

export const newWorkspace = ({ state, actions }: Hands): Command => ({
  id: 'new-workspace',
  title: 'New workspace',
  unavailable: offline(state),
  run: () => void actions.createWorkspace(),
});

/** Those that need the workspace in front. */
export function workspaceCommands({ state, actions, shell }: Hands): readonly [Command, Command, Command, Command] {
  const workspace = currentWorkspace(state);
  const unavailable = offline(state) ?? (workspace === undefined ? NO_WORKSPACE : undefined);
  const onWorkspace = (run: (workspace: Workspace) => void) => () => {
    if (workspace !== undefined) run(workspace);
  };
  return [
    {
      id: 'save',
      title: 'Save',
      detail: workspace?.layoutName === undefined ? 'Asks for a name' : `As “${workspace.layoutName}”`,
      keys: 'mod+s',
      unavailable,
      run: onWorkspace(({ id, layoutName }) => {
        if (layoutName === undefined) shell.show({ kind: 'save-as', workspaceId: id });
        else void actions.saveWorkspace(id, layoutName);
      }),
    },
    {
      id: 'save-as',
      title: 'Save as…',
      keys: 'mod+shift+s',
      unavailable,
      run: onWorkspace(({ id }) => shell.show({ kind: 'save-as', workspaceId: id })),
    },
    {
      id: 'rename',
      title: 'Rename…',
      unavailable,
      run: onWorkspace(({ id }) => shell.show({ kind: 'rename', workspaceId: id })),
    },
    {
      id: 'close',
      title: 'Close',
      unavailable,
      run: onWorkspace((open) => closeWorkspace(open, { actions, shell })),
    },
  ];
}

export const openLayout = (layout: LayoutInfo, { state, actions }: Hands): Command => ({
  id: `open-layout:${layout.name}`,
  title: titleOfLayout(layout),
  ...(layout.description !== undefined && { detail: layout.description }),
  unavailable: offline(state),
  run: () => void actions.openLayout(layout.name),
});

export const deleteLayout = (layout: LayoutInfo, { state, shell }: Hands): Command => ({
  id: `delete-layout:${layout.name}`,
  title: `Delete “${titleOfLayout(layout)}”…`,
  unavailable: offline(state) ?? (layout.readOnly ? 'It comes from a file, and is removed there.' : undefined),
  run: () => shell.show({ kind: 'delete-layout', name: layout.name }),
});

/** The channels of the window that has the focus. By Tab one comes to the choice of them only through the pages. */
export function channelCommands({ state, actions }: Hands): readonly Command[] {
  const window = focusedWindow(state);
  const instance = window?.instanceId;
  if (window === undefined || instance === undefined) return [];
  const detail = windowName(state, window);
  const current = state.memberships.get(instance);
  const join = ({ name }: Channel): Command => ({
    id: `channel:${name}`,
    title: `Join channel ${name}`,
    detail,
    unavailable: offline(state) ?? (name === current ? `${detail} is on it already.` : undefined),
    run: () => void actions.joinChannel(instance, name),
  });
  const leave: Command = {
    id: 'leave-channel',
    title: 'Leave the channel',
    detail,
    unavailable: offline(state) ?? (current === undefined ? `${detail} is on none.` : undefined),
    run: () => void actions.joinChannel(instance, undefined),
  };
  return [...state.channels.map(join), leave];
}

export const themeCommands = ({ themes }: Hands): readonly Command[] =>
  (['light', 'dark', 'system'] as const).map((choice) => ({
    id: `theme:${choice}`,
    title: { light: 'Light theme', dark: 'Dark theme', system: 'Theme of the system' }[choice],
    unavailable: themes.choice() === choice ? 'It is chosen already.' : undefined,
    run: () => themes.choose(choice),
  }));

export const pageCommands = ({ shell }: Hands): readonly [Command, Command, Command] => [
  {
    id: 'why',
    title: 'Why is something not there?',
    detail: 'Tools, applications and workspaces that are hidden, and the reasons',
    run: () => shell.showWhy(),
  },
  { id: 'shortcuts', title: 'Keyboard shortcuts', keys: '?', run: () => shell.show({ kind: 'shortcuts' }) },
  { id: 'about', title: 'About Deskwire', run: () => shell.show({ kind: 'about' }) },
];

/** All of them, as the launcher lists them. */
export function allCommands(hands: Hands): readonly Command[] {
  const [save, saveAs, rename, close] = workspaceCommands(hands);
  return [
    newWorkspace(hands),
    { ...save, title: 'Save workspace' },
    { ...saveAs, title: 'Save workspace as…' },
    { ...rename, title: 'Rename workspace…' },
    { ...close, title: 'Close workspace' },
    ...pageCommands(hands),
    ...channelCommands(hands),
    ...themeCommands(hands),
    ...hands.state.layouts.filter(({ readOnly }) => !readOnly).map((layout) => deleteLayout(layout, hands)),
  ];
}
