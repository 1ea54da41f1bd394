// What the person is at: the workspace in front of this page, and the window that has the focus there.

import type { DesktopState, WindowInfo, Workspace } from '../desktop/model.ts';

/** The workspace that this page shows. */
export function currentWorkspace(state: DesktopState): Workspace | undefined {
  if (state.frameId === undefined) return undefined;
  for (const workspace of state.workspaces.values()) {
    if (workspace.frameId === state.frameId && workspace.selected) return workspace;
  }
  return undefined;
}

export function focusedWindow(state: DesktopState): WindowInfo | undefined {
  for (const window of currentWorkspace(state)?.windows.values() ?? []) {
    if (window.focused) return window;
  }
  return undefined;
}
