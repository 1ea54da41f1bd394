import type { ReactElement } from 'react';
import { count } from '../../status/words.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDesktop } from '../../ui/desktop.ts';

export function AboutDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const status = useDesktop((state) => state.status);
  return (
    <Dialog title="About Deskwire" onClose={onClose}>
      <p>Connects the applications of a desktop to assistants.</p>
      <dl className="ui-facts">
        <dt>Version</dt>
        <dd>{status?.version ?? 'unknown until the server answers'}</dd>
        <dt>Server</dt>
        <dd>{location.host}</dd>
        {status !== undefined && (
          <>
            <dt>On the bus</dt>
            <dd>{count(status.peers, 'peer')}</dd>
          </>
        )}
        <dt>Licence</dt>
        <dd>MIT or Apache 2.0</dd>
      </dl>
    </Dialog>
  );
}
