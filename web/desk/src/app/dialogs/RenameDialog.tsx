import { useState } from 'react';
import type { ReactElement } from 'react';
import type { Workspace } from '../../desktop/model.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useActions } from '../../ui/desktop.ts';

export interface RenameDialogProps {
  readonly workspace: Workspace;
  readonly onClose: () => void;
}

export function RenameDialog({ workspace, onClose }: RenameDialogProps): ReactElement {
  const actions = useActions();
  const [title, setTitle] = useState(workspace.title);
  const [tried, setTried] = useState(false);
  const trimmed = title.trim();

  const rename = (): void => {
    setTried(true);
    if (trimmed === '') return;
    onClose();
    if (trimmed !== workspace.title) void actions.renameWorkspace(workspace.id, trimmed);
  };

  return (
    <Dialog
      title="Rename workspace"
      onClose={onClose}
      onSubmit={rename}
      buttons={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main">
            Rename
          </Button>
        </>
      }
    >
      <TextField
        label="Title"
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        hint="What is saved keeps its name."
        error={tried && trimmed === '' ? 'A workspace needs a title.' : undefined}
      />
    </Dialog>
  );
}
