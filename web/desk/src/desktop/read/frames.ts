// `Deskwire.Frame.Events`: frames and workspaces, as the platform tells them.

import { counter, read, windowsOf } from '@deskwire/layout';
import type { Tree } from '@deskwire/layout';
import type { Frame, WindowInfo, WindowState, Workspace } from '../model.ts';
import type { DeskEvent } from '../reduce.ts';
import { countIn, fieldsOf, maybe, nameIn, readAll, textIn } from './fields.ts';

/** What the platform has at most, with room to spare. */
const MAX_FRAMES = 256;
const MAX_WORKSPACES = 1_024;

const STATES: ReadonlySet<unknown> = new Set<WindowState>(['waiting', 'loading', 'ready', 'failed', 'missing']);

/** The event as one of ours; nothing if it says nothing that we know. */
export function readFrameEvent(data: unknown): DeskEvent | undefined {
  const event = fieldsOf(data);
  switch (event?.['type']) {
    case 'snapshot': {
      const frames = readAll(event['frames'], MAX_FRAMES, readFrame);
      return { type: 'snapshot', frames, workspaces: readAll(event['workspaces'], MAX_WORKSPACES, readWorkspace) };
    }
    case 'workspace': {
      const workspace = readWorkspace(event['workspace']);
      return workspace && { type: 'workspace', workspace };
    }
    case 'workspace-closed': {
      const id = nameIn(event['workspaceId']);
      return id === undefined ? undefined : { type: 'workspace-closed', id };
    }
    case 'frame': {
      const frame = readFrame(event['frame']);
      return frame && { type: 'frame', frame };
    }
    case 'frame-closed': {
      const id = nameIn(event['frameId']);
      return id === undefined ? undefined : { type: 'frame-closed', id };
    }
    default:
      return undefined;
  }
}

export function readFrame(value: unknown): Frame | undefined {
  const from = fieldsOf(value);
  const id = nameIn(from?.['id']);
  if (from === undefined || id === undefined) return undefined;
  return {
    id,
    attached: from['attached'] === true,
    ...maybe('selectedWorkspaceId', nameIn(from['selectedWorkspaceId'])),
    isFocused: from['isFocused'] === true,
  };
}

export function readWorkspace(value: unknown): Workspace | undefined {
  const from = fieldsOf(value);
  const [id, rev, frameId] = [nameIn(from?.['id']), countIn(from?.['rev']), nameIn(from?.['frameId'])];
  if (from === undefined || id === undefined || rev === undefined || frameId === undefined) return undefined;
  const found = read(from['tree'], 'lenient', counter('unnamed-'));
  if (!found.ok) return undefined;
  const { tree } = found.value;
  return {
    id,
    rev,
    frameId,
    position: countIn(from['position']) ?? 0,
    title: textIn(from['title']) ?? 'Untitled',
    name: nameIn(from['name']) ?? id,
    ...maybe('layoutName', nameIn(from['layoutName'])),
    hibernated: from['hibernated'] === true,
    selected: from['selected'] === true,
    ...maybe('maximized', nameIn(from['maximized'])),
    tree,
    windows: readWindows(tree, from['windows']),
  };
}

function readWindows(tree: Tree, value: unknown): Map<string, WindowInfo> {
  const all = fieldsOf(value) ?? {};
  const windows = new Map<string, WindowInfo>();
  for (const { id } of windowsOf(tree.children)) {
    const found = readWindow(id, Object.hasOwn(all, id) ? all[id] : undefined);
    if (found !== undefined) windows.set(id, found);
  }
  return windows;
}

function readWindow(itemId: string, value: unknown): WindowInfo | undefined {
  const from = fieldsOf(value);
  const windowId = nameIn(from?.['windowId']);
  if (from === undefined || windowId === undefined || !STATES.has(from['state'])) return undefined;
  const appName = nameIn(from['appName']) ?? '';
  return {
    itemId,
    windowId,
    ...maybe('instanceId', nameIn(from['instanceId'])),
    appName,
    title: textIn(from['title']) ?? appName,
    state: from['state'] as WindowState,
    ...maybe('reason', textIn(from['reason'])),
    focused: from['focused'] === true,
  };
}
