// The workspaces of this page as tabs, and a way to those of other pages.

import AppWindow from 'lucide-react/icons/app-window';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useShell } from '../app/shell.ts';
import type { Workspace } from '../desktop/model.ts';
import { otherWorkspaces, ownWorkspaces } from '../desktop/select.ts';
import { useActions, useDesktop } from '../ui/desktop.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import { useTabDrag } from './tab-drag.ts';
import { useVisiting } from './visiting.tsx';
import { WorkspaceTab } from './WorkspaceTab.tsx';
import './workspace.css';

export function WorkspaceTabs(): ReactElement {
  const actions = useActions();
  const workspaces = useDesktop((state) => state.workspaces);
  const frameId = useDesktop((state) => state.frameId);
  const isUp = useDesktop((state) => state.connection.state === 'up');
  const own = useMemo(() => ownWorkspaces({ workspaces, frameId }), [workspaces, frameId]);
  const others = useMemo(() => otherWorkspaces({ workspaces, frameId }), [workspaces, frameId]);
  const { id: visited, visit } = useVisiting();
  const [renaming, setRenaming] = useState<string>();
  const show = useShell((shell) => shell.show);
  const list = useRef<HTMLDivElement>(null);
  const drag = useTabDrag(list, (id, index) => void actions.edit(id, { op: 'reorder-workspace', index }));

  const close = (workspace: Workspace): void => {
    // What is empty has nothing to lose, and what was saved can be opened again.
    if (workspace.windows.size === 0 || workspace.layoutName !== undefined) void actions.closeWorkspace(workspace.id);
    else show({ kind: 'close', workspaceId: workspace.id });
  };

  const select = (id: string): void => {
    visit(undefined);
    void actions.selectWorkspace(id);
  };

  function onKey(event: KeyboardEvent, workspace: Workspace, place: number): void {
    const to = (at: number): void => {
      const next = own[Math.max(0, Math.min(at, own.length - 1))];
      if (next === undefined) return;
      if (next.id !== workspace.id) select(next.id);
      list.current?.querySelector<HTMLElement>(`[data-workspace="${CSS.escape(next.id)}"]`)?.focus();
    };
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined && event.shiftKey) {
      const index = place + step;
      if (index >= 0 && index < own.length) void actions.edit(workspace.id, { op: 'reorder-workspace', index });
    } else if (step !== undefined) to(place + step);
    else if (event.key === 'Home') to(0);
    else if (event.key === 'End') to(own.length - 1);
    else if (event.key === 'F2') setRenaming(workspace.id);
    else if (event.key === 'Delete') close(workspace);
    else return;
    event.preventDefault();
  }

  return (
    <nav className="workspaces" aria-label="Workspaces">
      <div className="workspace-tabs" role="tablist" aria-label="Workspaces" ref={list}>
        {own.map((workspace, place) => (
          <WorkspaceTab
            key={workspace.id}
            workspace={workspace}
            isShown={workspace.selected && visited === undefined}
            isRenaming={renaming === workspace.id}
            drag={drag}
            onSelect={() => select(workspace.id)}
            onClose={() => close(workspace)}
            onKeyDown={(event) => onKey(event, workspace, place)}
            onRename={() => setRenaming(workspace.id)}
            onRenamed={(title) => {
              setRenaming(undefined);
              if (title !== undefined && title !== workspace.title) void actions.renameWorkspace(workspace.id, title);
            }}
          />
        ))}
      </div>
      <IconButton icon={Plus} label="New workspace" disabled={!isUp} onClick={() => void actions.createWorkspace()} />
      {others.length > 0 && (
        <Menu
          trigger={
            <button type="button" className="workspace-others" title="Workspaces on other pages">
              <AppWindow className="ui-icon" aria-hidden />
              {others.length} elsewhere
            </button>
          }
        >
          {others.map(({ id, title }) => (
            <MenuItem key={id} label={title} detail="on another page" onClick={() => visit(id)} />
          ))}
        </Menu>
      )}
    </nav>
  );
}
