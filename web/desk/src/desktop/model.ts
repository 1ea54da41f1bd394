// What the desktop is, as values: what the platform and the server said last, and nothing else.
// Components read it; `actions.ts` is all they can do.

import type { JsonObject, Tree } from '@deskwire/layout';

/** Whether the bus is there. */
export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'up' }
  | { readonly state: 'down'; readonly reason: string; readonly since: number };

/** A page that holds workspaces; `id` of ours is `DesktopState.frameId`. */
export interface Frame {
  readonly id: string;
  /** Whether a page holds its lease now. */
  readonly attached: boolean;
  readonly selectedWorkspaceId?: string;
  readonly isFocused: boolean;
}

export type WindowState = 'waiting' | 'loading' | 'ready' | 'failed' | 'missing';

/** A window of a workspace, by the id of its item in the tree. */
export interface WindowInfo {
  readonly itemId: string;
  readonly windowId: string;
  readonly instanceId?: string;
  readonly appName: string;
  readonly title: string;
  readonly state: WindowState;
  /** Why it is `failed` or `missing`, in words. */
  readonly reason?: string;
  readonly focused: boolean;
}

export interface Workspace {
  readonly id: string;
  readonly rev: number;
  readonly frameId: string;
  /** Place among the workspaces of its frame. */
  readonly position: number;
  readonly title: string;
  readonly name: string;
  /** The layout it was restored from or saved as. */
  readonly layoutName?: string;
  readonly hibernated: boolean;
  readonly selected: boolean;
  /** Item that fills the workspace. */
  readonly maximized?: string;
  readonly tree: Tree;
  readonly windows: ReadonlyMap<string, WindowInfo>;
}

export interface Application {
  readonly name: string;
  readonly title: string;
  readonly caption?: string;
  readonly type: string;
  readonly hidden: boolean;
  /** Why it cannot be started now, in words. */
  readonly cannotStart?: string;
}

/** A saved workspace. */
export interface LayoutInfo {
  readonly name: string;
  /** Title of the workspace that it opens. */
  readonly workspaceTitle?: string;
  readonly description?: string;
  /** Comes from a file, and cannot be removed here. */
  readonly readOnly: boolean;
}

export interface Channel {
  readonly name: string;
  /** A CSS colour, checked. */
  readonly color: string;
}

/** `GET /api/status`. */
export interface Status {
  readonly version: string;
  readonly peers: number;
  readonly tools: { readonly visible: number; readonly withheld: number };
  /** Applications, layouts and intents that search leaves out. */
  readonly leftOut: number;
  readonly revision: string;
}

/** One line of `GET /api/diagnostics`. */
export interface Finding {
  readonly kind: string;
  readonly name: string;
  readonly app?: string;
  readonly visible: boolean;
  readonly stage: string;
  readonly reason: string;
  readonly fix: string;
}

/** A sentence for the person about something that did not work, until dismissed. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly at: number;
}

export interface DesktopState {
  readonly connection: Connection;
  /** The frame that this page holds; absent until it has attached. */
  readonly frameId?: string;
  readonly frames: ReadonlyMap<string, Frame>;
  readonly workspaces: ReadonlyMap<string, Workspace>;
  readonly applications: readonly Application[];
  readonly layouts: readonly LayoutInfo[];
  readonly channels: readonly Channel[];
  /** Channel of each instance that is on one. */
  readonly memberships: ReadonlyMap<string, string>;
  readonly status?: Status;
  readonly notices: readonly Notice[];
  /** When a workspace of this frame was last saved, in milliseconds since 1970. */
  readonly savedAt?: number;
}

export type Context = JsonObject;
