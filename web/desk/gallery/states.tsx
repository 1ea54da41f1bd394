// Every state that is shown, by name: what the desktop is, what the page has open.

import type { ReactElement } from 'react';
import type { DesktopState, Finding } from '../src/desktop/model.ts';
import type { Shell } from '../src/app/shell.ts';
import { DESKTOP, DOWN, FINDINGS, MANY, NOTICES } from './fixtures.ts';
import type { Name } from './names.ts';
import { Primitives } from './Primitives.tsx';

export interface State {
  readonly desktop?: Partial<DesktopState>;
  readonly shell?: Partial<Pick<Shell, 'modal' | 'why'>>;
  /** What the server finds; an error where it does not answer. */
  readonly findings?: readonly Finding[] | Error;
  readonly content?: ReactElement;
}

const why = { query: '', all: false };
const unsaved = new Map([...DESKTOP.workspaces].map(([id, { layoutName: _, ...workspace }]) => [id, workspace]));

export const STATES: Readonly<Record<Name, State>> = {
  desk: {},
  primitives: { content: <Primitives /> },
  bare: { desktop: { workspaces: new Map(), applications: [], layouts: [], channels: [] }, findings: [] },
  connecting: { desktop: { connection: { state: 'connecting' } } },
  down: { desktop: { connection: DOWN } },
  'off-channel': { desktop: { memberships: new Map() } },
  launcher: { shell: { modal: { kind: 'launcher' } } },
  'launcher-down': { desktop: { connection: DOWN }, shell: { modal: { kind: 'launcher' } } },
  why: { shell: { why } },
  'why-all': { shell: { why: { query: '', all: true } } },
  'why-nothing': { shell: { why }, findings: FINDINGS.filter(({ visible }) => visible) },
  'why-error': { shell: { why }, findings: new Error('no answer from 127.0.0.1:4111') },
  'why-many': { shell: { why }, findings: MANY },
  'save-as': { desktop: { workspaces: unsaved, layouts: [] }, shell: { modal: { kind: 'save-as', workspaceId: 'w1' } } },
  'save-as-replaces': { shell: { modal: { kind: 'save-as', workspaceId: 'w1' } } },
  rename: { shell: { modal: { kind: 'rename', workspaceId: 'w1' } } },
  close: { desktop: { workspaces: unsaved }, shell: { modal: { kind: 'close', workspaceId: 'w1' } } },
  'delete-layout': { shell: { modal: { kind: 'delete-layout', name: 'Month end' } } },
  shortcuts: { shell: { modal: { kind: 'shortcuts' } } },
  about: { shell: { modal: { kind: 'about' } } },
  notices: { desktop: { notices: NOTICES } },
};
