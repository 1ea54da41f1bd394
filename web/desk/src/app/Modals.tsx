import type { ReactElement } from 'react';
import { Launcher } from '../launcher/Launcher.tsx';
import { windowName } from '../desktop/select.ts';
import { useActions, useDesktop } from '../ui/desktop.ts';
import { AboutDialog } from './dialogs/AboutDialog.tsx';
import { CloseDialog } from './dialogs/CloseDialog.tsx';
import { DeleteLayoutDialog } from './dialogs/DeleteLayoutDialog.tsx';
import { RenameDialog } from './dialogs/RenameDialog.tsx';
import { SaveAsDialog } from './dialogs/SaveAsDialog.tsx';
import { ShortcutsDialog } from './dialogs/ShortcutsDialog.tsx';
import { useShell } from './shell.ts';

/** The one modal surface that is open. What is about a workspace or a window goes when that does. */
export function Modals(): ReactElement | null {
  const modal = useShell((shell) => shell.modal);
  const show = useShell((shell) => shell.show);
  const hide = useShell((shell) => shell.hide);
  const actions = useActions();
  const workspaceId = modal !== undefined && 'workspaceId' in modal ? modal.workspaceId : undefined;
  const workspace = useDesktop(({ workspaces }) => (workspaceId === undefined ? undefined : workspaces.get(workspaceId)));
  const window = modal?.kind === 'rename-window' ? workspace?.windows.get(modal.itemId) : undefined;
  const windowTitle = useDesktop((state) => window && windowName(state, window));
  switch (modal?.kind) {
    case undefined:
      return null;
    case 'launcher':
      return <Launcher onClose={hide} />;
    case 'shortcuts':
      return <ShortcutsDialog onClose={hide} />;
    case 'about':
      return <AboutDialog onClose={hide} />;
    case 'delete-layout':
      return <DeleteLayoutDialog name={modal.name} onClose={hide} />;
    case 'save-as':
      return workspace === undefined ? null : <SaveAsDialog workspace={workspace} onClose={hide} />;
    case 'rename':
      return workspace === undefined ? null : (
        <RenameDialog
          what="workspace"
          title={workspace.title}
          hint="What is saved keeps its name."
          onRename={(title) => void actions.renameWorkspace(workspace.id, title)}
          onClose={hide}
        />
      );
    case 'rename-window': {
      const item = modal.itemId;
      return workspace === undefined || windowTitle === undefined ? null : (
        <RenameDialog
          what="window"
          title={windowTitle}
          onRename={(title) => void actions.edit(workspace.id, { op: 'rename', item, title })}
          onClose={hide}
        />
      );
    }
    case 'close':
      return workspace === undefined ? null : (
        <CloseDialog workspace={workspace} onClose={hide} onSaveAs={() => show({ kind: 'save-as', workspaceId: workspace.id })} />
      );
  }
}
