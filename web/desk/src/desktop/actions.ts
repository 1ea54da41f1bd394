// All that a person can do to the desktop from this page. Every action asks the server; what came of
// it arrives as state. A refusal becomes a notice, and the promise says whether it was done.

import type { Edit } from '@deskwire/layout';
import type { Context, Finding } from './model.ts';

/** An edit of the tree, or one of the edits that the platform adds. */
export type FrameEdit =
  | Edit
  | { readonly op: 'select-workspace' }
  | { readonly op: 'reorder-workspace'; readonly index: number }
  | { readonly op: 'focus'; readonly item: string }
  | { readonly op: 'maximize'; readonly item: string }
  | { readonly op: 'restore' }
  | { readonly op: 'reload'; readonly item: string };

export interface Actions {
  /** Into the selected workspace, or a new one where there is none; programs start as processes. */
  startApplication(name: string, context?: Context): Promise<boolean>;
  createWorkspace(): Promise<boolean>;
  openLayout(name: string): Promise<boolean>;
  deleteLayout(name: string): Promise<boolean>;
  selectWorkspace(id: string): Promise<boolean>;
  closeWorkspace(id: string): Promise<boolean>;
  renameWorkspace(id: string, title: string): Promise<boolean>;
  /** Saves it as the layout `name`. */
  saveWorkspace(id: string, name: string): Promise<boolean>;
  /** Brings a workspace that another page shows to this one. */
  claim(id: string): Promise<boolean>;
  edit(workspaceId: string, edit: FrameEdit): Promise<boolean>;
  /** Puts the instance on a channel, or off all. */
  joinChannel(instanceId: string, channel: string | undefined): Promise<boolean>;
  /** What a client that declares `capabilities` does not see, and why. Rejects where the server cannot say. */
  findings(capabilities: readonly string[]): Promise<readonly Finding[]>;
  dismiss(notice: number): void;
}
