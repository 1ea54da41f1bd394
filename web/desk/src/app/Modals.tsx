import type { ReactElement } from 'react';
import { Launcher } from '../launcher/Launcher.tsx';
import { useDesktop } from '../ui/desktop.ts';
import { AboutDialog } from './dialogs/AboutDialog.tsx';
import { CloseDialog } from './dialogs/CloseDialog.tsx';
import { DeleteLayoutDialog } from './dialogs/DeleteLayoutDialog.tsx';
import { RenameDialog } from './dialogs/RenameDialog.tsx';
import { SaveAsDialog } from './dialogs/SaveAsDialog.tsx';
import { ShortcutsDialog } from './dialogs/ShortcutsDialog.tsx';
import { useShell } from './shell.ts';

/** The one modal surface that is open. What is about a workspace goes when the workspace does. */
export function Modals(): ReactElement | null {
  const modal = useShell((shell) => shell.modal);
  const show = useShell((shell) => shell.show);
  const hide = useShell((shell) => shell.hide);
  const workspaceId = modal !== undefined && 'workspaceId' in modal ? modal.workspaceId : undefined;
  const workspace = useDesktop(({ workspaces }) => (workspaceId === undefined ? undefined : workspaces.get(workspaceId)));
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
      return workspace === undefined ? null : <RenameDialog workspace={workspace} onClose={hide} />;
    case 'close':
      return workspace === undefined ? null : (
        <CloseDialog workspace={workspace} onClose={hide} onSaveAs={() => show({ kind: 'save-as', workspaceId: workspace.id })} />
      );
  }
}
