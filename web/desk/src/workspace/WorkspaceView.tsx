// One workspace. It stays in the page while it is hidden, so that the pages in it live on.

import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { createPortal } from 'react-dom';
import type { ItemId } from '@deskwire/layout';
import { useShell } from '../app/shell.ts';
import { useActions, useDesktop, useDesktopStore } from '../ui/desktop.ts';
import type { Workspace } from '../desktop/model.ts';
import { useWindows } from '../windows/context.tsx';
import { createWorkspaceCanvas } from './canvas.ts';
import type { WorkspaceCanvas } from './canvas.ts';
import { Invitation } from './Invitation.tsx';
import { PaneTools } from './PaneTools.tsx';

interface Place {
  readonly pane: ItemId;
  readonly element: HTMLElement;
}

export function WorkspaceView({ workspace, isShown }: { workspace: Workspace; isShown: boolean }): ReactElement {
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<WorkspaceCanvas>(undefined);
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const [store, actions, windows] = [useDesktopStore(), useActions(), useWindows()];
  const applications = useDesktop((state) => state.applications);
  const isUp = useDesktop((state) => state.connection.state === 'up');
  const show = useShell((shell) => shell.show);
  const first = useRef(workspace);

  useEffect(() => {
    if (root.current === null) return undefined;
    const made = createWorkspaceCanvas({
      root: root.current,
      workspace: first.current,
      state: store.getState,
      actions,
      windows,
      rename: (itemId) => show({ kind: 'rename-window', workspaceId: first.current.id, itemId }),
      // Places of panes that are gone are out of the page by now.
      tools: (element, pane) => setPlaces((all) => [...all.filter((one) => one.element.isConnected), { pane, element }]),
    });
    canvas.current = made;
    return () => {
      canvas.current = undefined;
      made.destroy();
    };
  }, [store, actions, windows, show]);

  useEffect(() => {
    first.current = workspace;
    canvas.current?.render(workspace);
  }, [workspace, applications]);

  useEffect(() => canvas.current?.lock(!isUp), [isUp]);

  const isEmpty = workspace.tree.children.length === 0;
  return (
    <section className="workspace" role="tabpanel" aria-label={workspace.title} data-shown={isShown} inert={!isShown}>
      <div className="workspace-canvas" ref={root} />
      {isEmpty && isShown && <Invitation title="This workspace is empty" layouts={false} />}
      {places.map(({ pane, element }) => createPortal(<PaneTools workspace={workspace} pane={pane} />, element, pane))}
    </section>
  );
}
