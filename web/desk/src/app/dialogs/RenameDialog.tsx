import { useState } from 'react';
import type { ReactElement } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/TextField.tsx';

export interface RenameDialogProps {
  /** What it is that has a title: `workspace`, `window`. */
  readonly what: string;
  readonly title: string;
  readonly hint?: string;
  readonly onRename: (title: string) => void;
  readonly onClose: () => void;
}

export function RenameDialog({ what, title, hint, onRename, onClose }: RenameDialogProps): ReactElement {
  const [wanted, setWanted] = useState(title);
  const [tried, setTried] = useState(false);
  const trimmed = wanted.trim();

  const rename = (): void => {
    setTried(true);
    if (trimmed === '') return;
    onClose();
    if (trimmed !== title) onRename(trimmed);
  };

  return (
    <Dialog
      title={`Rename ${what}`}
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
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        hint={hint}
        error={tried && trimmed === '' ? `A ${what} needs a title.` : undefined}
      />
    </Dialog>
  );
}
