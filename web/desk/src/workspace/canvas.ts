// A workspace on a canvas: shows what the platform says, and asks it for what a person does. What was
// done is shown at once, and taken back where the platform says no.

import { apply, counter, createCanvas, nameOf } from '@deskwire/layout';
import type { Edit, ItemId, Tree } from '@deskwire/layout';
import type { Actions } from '../desktop/actions.ts';
import type { DesktopState, Workspace } from '../desktop/model.ts';
import type { Windows } from '../windows/windows.ts';

export interface WorkspaceCanvasOptions {
  readonly root: HTMLElement;
  readonly workspace: Workspace;
  readonly state: () => DesktopState;
  readonly actions: Pick<Actions, 'edit'>;
  readonly windows: Pick<Windows, 'mount' | 'unmount'>;
  /** A person wants to give a window another name. */
  readonly rename: (item: ItemId) => void;
  /** A pane has got a place for buttons. */
  readonly tools: (element: HTMLElement, pane: ItemId) => void;
}

export interface WorkspaceCanvas {
  render(workspace: Workspace): void;
  /** Whether a person may change it now. */
  lock(locked: boolean): void;
  destroy(): void;
}

export function createWorkspaceCanvas(options: WorkspaceCanvasOptions): WorkspaceCanvas {
  const { root, workspace, state, actions, windows, rename, tools } = options;
  const { id } = workspace;
  const ids = counter('here-');
  let shown: Tree = workspace.tree;

  function show(tree: Tree, maximized: ItemId | undefined): void {
    shown = tree;
    canvas.render(tree, maximized);
  }

  const truth = (): Workspace | undefined => state().workspaces.get(id);

  async function ask(edit: Edit): Promise<void> {
    // A page that is taken out cannot be put back as it was, and a new one is not ours to name.
    const applied = edit.op === 'remove' || edit.op === 'insert' ? undefined : apply(shown, edit, ids);
    if (applied?.ok === true) show(applied.value.tree, truth()?.maximized);
    if (await actions.edit(id, edit)) return;
    const now = truth();
    if (now !== undefined) show(now.tree, now.maximized);
  }

  const canvas = createCanvas({
    root,
    tree: workspace.tree,
    maximized: workspace.maximized,
    mount: (host, item) => windows.mount(id, item.id, host),
    unmount: (host) => windows.unmount(host),
    edit: (edit) => void ask(edit),
    rename,
    tools,
    name(item) {
      if (item.kind !== 'window' || item.title !== undefined) return nameOf(item);
      return state().applications.find(({ name }) => name === item.appName)?.title ?? nameOf(item);
    },
  });

  // A window is at hand when its tab is, as when its page is: what is said of "the window" is said of it.
  root.addEventListener('focusin', ({ target }) => {
    const item = target instanceof HTMLElement ? target.dataset['tab'] : undefined;
    if (item !== undefined && truth()?.windows.get(item)?.focused === false) void actions.edit(id, { op: 'focus', item });
  });

  return {
    render: ({ tree, maximized }) => show(tree, maximized),
    lock: canvas.lock,
    destroy: canvas.destroy,
  };
}
