import type { ReactElement } from 'react';
import type { Workspace } from '../../desktop/model.ts';
import { count } from '../../status/words.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useActions } from '../../ui/desktop.ts';

export interface CloseDialogProps {
  readonly workspace: Workspace;
  readonly onClose: () => void;
  readonly onSaveAs: () => void;
}

/** Asked only of a workspace that was never saved. */
export function CloseDialog({ workspace, onClose, onSaveAs }: CloseDialogProps): ReactElement {
  const actions = useActions();
  const close = (): void => {
    onClose();
    void actions.closeWorkspace(workspace.id);
  };
  return (
    <Dialog
      title={`Close “${workspace.title}”?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={onSaveAs}>Save as…</Button>
          <Button look="danger" onClick={close}>
            Close
          </Button>
        </>
      }
    >
      <p>It was never saved. Its {count(workspace.windows.size, 'window')} and their arrangement will be gone.</p>
    </Dialog>
  );
}
