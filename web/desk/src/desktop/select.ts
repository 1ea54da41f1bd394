// Questions about the desktop that several ask.

import { childrenOf } from '@deskwire/layout';
import type { Item, Place, Side, Tree } from '@deskwire/layout';
import type { DesktopState, LayoutInfo, WindowInfo, Workspace } from './model.ts';

type Shown = Pick<DesktopState, 'workspaces' | 'frameId'>;

/** The workspaces of this page, in their order. */
export function ownWorkspaces({ workspaces, frameId }: Shown): Workspace[] {
  return [...workspaces.values()].filter((one) => one.frameId === frameId).sort((a, b) => a.position - b.position);
}

/** The workspaces that other pages show, in an order that does not change by itself. */
export function otherWorkspaces({ workspaces, frameId }: Shown): Workspace[] {
  const others = [...workspaces.values()].filter((one) => one.frameId !== frameId);
  return others.sort((a, b) => a.title.localeCompare(b.title) || a.id.localeCompare(b.id));
}

export function selectedWorkspace(state: Shown): Workspace | undefined {
  return ownWorkspaces(state).find(({ selected }) => selected);
}

/** What to call a window: by its own title, else by that of its application. */
export function windowName({ applications }: Pick<DesktopState, 'applications'>, { title, appName }: WindowInfo): string {
  if (title !== appName) return title;
  return applications.find(({ name }) => name === appName)?.title ?? appName;
}

/** Where a new window goes: beside the pane that has the focus, else along the right side. */
export function placeForNew({ tree, windows }: Workspace, side: Side = 'right'): Place {
  if (tree.children.length === 0) return { at: 'into' };
  const focused = [...windows.values()].find((one) => one.focused);
  const target = focused && paneOf(tree, focused.itemId);
  return target === undefined ? { at: 'edge', side } : { at: 'beside', target: target.id, side };
}

/** The group of a window, or the window where it is in none. */
function paneOf(tree: Tree, id: string): Item | undefined {
  const search = (items: readonly Item[]): Item | undefined => {
    for (const item of items) {
      if (item.id === id) return item;
      const found = search(childrenOf(item));
      if (found !== undefined) return item.kind === 'group' ? item : found;
    }
    return undefined;
  };
  return search(tree.children);
}

/**
 * What a person is told of a layout: its workspace's title where its name is that, spelled for machines
 * (`client-review`), else its name. Who saves a workspace under a name of its own finds it by that.
 */
export function titleOfLayout({ name, workspaceTitle: title }: LayoutInfo): string {
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');
  return title !== undefined && bare(title) === bare(name) ? title : name;
}
