import { useState } from 'react';
import type { ReactElement } from 'react';
import type { LayoutInfo, Workspace } from '../../desktop/model.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useActions, useDesktop } from '../../ui/desktop.ts';

export interface SaveAsDialogProps {
  readonly workspace: Workspace;
  readonly onClose: () => void;
}

export function SaveAsDialog({ workspace, onClose }: SaveAsDialogProps): ReactElement {
  const actions = useActions();
  const layouts = useDesktop((state) => state.layouts);
  const [name, setName] = useState(workspace.layoutName ?? workspace.title);
  const [tried, setTried] = useState(false);
  const trimmed = name.trim();
  const same = layouts.find((layout) => layout.name === trimmed);

  const save = (): void => {
    setTried(true);
    if (trimmed === '') return;
    onClose();
    void actions.saveWorkspace(workspace.id, trimmed);
  };

  return (
    <Dialog
      title="Save workspace"
      onClose={onClose}
      onSubmit={save}
      buttons={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main">
            {same === undefined ? 'Save' : 'Replace'}
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        hint={hintOf(same)}
        error={tried && trimmed === '' ? 'Give it a name to find it by.' : undefined}
      />
    </Dialog>
  );
}

function hintOf(same: LayoutInfo | undefined): string {
  if (same === undefined) return 'It opens again from the launcher.';
  return same.readOnly ? 'Takes the place of the workspace of this name that comes from a file.' : 'Replaces the saved workspace of this name.';
}
