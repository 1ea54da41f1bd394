import type { ReactElement } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useActions } from '../../ui/desktop.ts';

export interface DeleteLayoutDialogProps {
  readonly name: string;
  readonly onClose: () => void;
}

export function DeleteLayoutDialog({ name, onClose }: DeleteLayoutDialogProps): ReactElement {
  const actions = useActions();
  const remove = (): void => {
    onClose();
    void actions.deleteLayout(name);
  };
  return (
    <Dialog
      title={`Delete “${name}”?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" onClick={remove}>
            Delete
          </Button>
        </>
      }
    >
      <p>The saved workspace cannot be brought back. Workspaces that were opened from it stay open.</p>
    </Dialog>
  );
}
