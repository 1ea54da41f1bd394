import type { ReactElement } from 'react';
import { useShell } from '../app/shell.ts';
import { ChannelPicker } from '../channels/ChannelPicker.tsx';
import { useDesktop } from '../ui/desktop.ts';
import { clock } from '../ui/time.ts';
import { Tooltip } from '../ui/Tooltip.tsx';
import { useAnnouncement } from './useAnnouncement.ts';
import { connectionText, count, hidden, hiddenDetail } from './words.ts';
import './status.css';

/** Whether the bus is up, what the model sees and what it does not, and how the window in front is. */
export function StatusLine(): ReactElement {
  const savedAt = useDesktop((state) => state.savedAt);
  const said = useAnnouncement();
  return (
    <footer className="status" aria-label="Status">
      <ConnectionPart />
      <ToolsPart />
      <span className="status-space" />
      <ChannelPicker />
      {savedAt !== undefined && <span>saved {clock(savedAt)}</span>}
      <span className="ui-sr" role="status">
        {said}
      </span>
    </footer>
  );
}

function ConnectionPart(): ReactElement {
  const connection = useDesktop((state) => state.connection);
  const peers = useDesktop((state) => state.status?.peers);
  return (
    <span className="status-connection" data-state={connection.state}>
      <span className="status-dot" aria-hidden />
      <span className="status-text">
        {connectionText(connection)}
        {connection.state === 'up' && (peers === undefined ? ' up' : ` ${count(peers, 'peer')}`)}
      </span>
    </span>
  );
}

function ToolsPart(): ReactElement | null {
  const status = useDesktop((state) => state.status);
  const up = useDesktop((state) => state.connection.state === 'up');
  const showWhy = useShell((shell) => shell.showWhy);
  // What was counted before the bus went says nothing about now.
  if (status === undefined || !up) return null;
  return (
    <>
      <span className="status-tools">{count(status.tools.visible, 'tool')}</span>
      <Tooltip label={hiddenDetail(status)} side="top">
        <button type="button" className="status-button" onClick={() => showWhy()}>
          {hidden(status).toLocaleString()} hidden <span className="ui-sr">({hiddenDetail(status)}),</span> <span className="status-link">why?</span>
        </button>
      </Tooltip>
    </>
  );
}
