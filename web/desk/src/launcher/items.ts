// All that the launcher can find, of the desktop as it is.

import { allCommands, offline, openLayout } from '../app/commands.ts';
import type { Hands } from '../app/commands.ts';
import type { Application, Finding, Workspace } from '../desktop/model.ts';
import type { Item } from './rank.ts';

export function itemsOf(hands: Hands, findings: readonly Finding[]): readonly Item[] {
  return [
    ...openWorkspaces(hands),
    ...hands.state.layouts.map((layout): Item => ({ ...openLayout(layout, hands), group: 'workspaces', kind: 'Saved workspace' })),
    ...hands.state.applications.filter(({ hidden }) => !hidden).map((application) => itemOf(application, hands)),
    ...allCommands(hands).map((command): Item => ({ ...command, group: 'commands', kind: 'Command' })),
    ...tools(hands, findings),
  ];
}

function openWorkspaces({ state, actions }: Hands): readonly Item[] {
  const ours = ({ frameId }: Workspace): boolean => frameId === state.frameId;
  // The one in front is where the person is, and comes last.
  const place = (one: Workspace): number => (!ours(one) ? 1 : one.selected ? 2 : 0);
  const workspaces = [...state.workspaces.values()].toSorted((a, b) => place(a) - place(b) || a.position - b.position);
  return workspaces.map((workspace) => ({
    id: `workspace:${workspace.id}`,
    group: 'workspaces',
    title: workspace.title,
    detail: ours(workspace) ? windowsOf(workspace) : 'In another page; brings it here',
    alias: workspace.name,
    kind: 'Open workspace',
    unavailable: offline(state) ?? (ours(workspace) && workspace.selected ? 'It is in front already.' : undefined),
    run: () => void (ours(workspace) ? actions.selectWorkspace(workspace.id) : actions.claim(workspace.id)),
  }));
}

function windowsOf({ windows }: Workspace): string {
  return windows.size === 0 ? 'Empty' : [...windows.values()].map(({ title }) => title).join(', ');
}

function itemOf(application: Application, { state, actions }: Hands): Item {
  return {
    id: `application:${application.name}`,
    group: 'applications',
    title: application.title,
    detail: application.caption,
    alias: application.name,
    kind: application.type === 'window' ? 'Page' : application.type === 'exe' || application.type === 'node' ? 'Program' : application.type,
    unavailable: application.cannotStart ?? offline(state),
    run: () => void actions.startApplication(application.name),
  };
}

/** One item a tool, whatever number of remarks there are about it. */
function tools({ shell }: Hands, findings: readonly Finding[]): readonly Item[] {
  const visible = new Map(findings.filter(({ kind, visible: seen }) => kind === 'tool' && seen).map((one) => [one.name, one]));
  return [...visible.values()].map(({ name, app }) => ({
    id: `tool:${name}`,
    group: 'tools',
    title: name,
    detail: app === undefined ? undefined : `of ${app}`,
    kind: 'Tool',
    run: () => shell.showWhy({ query: name, all: true }),
  }));
}
