// What is between the bars: the workspaces of this page, or why there are none.

import { useEffect, useMemo, useRef } from 'react';
import type { ReactElement } from 'react';
import type { Workspace } from '../desktop/model.ts';
import { ownWorkspaces } from '../desktop/select.ts';
import { Button } from '../ui/Button.tsx';
import { useActions, useDesktop } from '../ui/desktop.ts';
import { Invitation } from './Invitation.tsx';
import { useVisiting } from './visiting.tsx';
import { WorkspaceView } from './WorkspaceView.tsx';

export function Stage({ resized }: { resized: (area: HTMLElement) => void }): ReactElement {
  const area = useRef<HTMLDivElement>(null);
  const connection = useDesktop((state) => state.connection);
  const frameId = useDesktop((state) => state.frameId);
  const workspaces = useDesktop((state) => state.workspaces);
  const { id: visited, visit } = useVisiting();
  const own = useMemo(() => ownWorkspaces({ workspaces, frameId }), [workspaces, frameId]);
  const selected = own.find((one) => one.selected)?.id;
  const guest = visited === undefined ? undefined : workspaces.get(visited);
  const isVisiting = guest !== undefined && guest.frameId !== frameId;

  // Whoever selects one of this page's workspaces has found another one.
  useEffect(() => visit(undefined), [selected, visit]);

  useEffect(() => {
    if (area.current === null) return undefined;
    const element = area.current;
    const observer = new ResizeObserver(() => resized(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [resized]);

  return (
    <div className="stage" ref={area}>
      {connection.state === 'down' && <Lost reason={connection.reason} isKnown={frameId !== undefined} />}
      <div className="stage-area">
        {own.map((workspace) => (
          <WorkspaceView key={workspace.id} workspace={workspace} isShown={!isVisiting && workspace.id === selected} />
        ))}
        {isVisiting && <Elsewhere workspace={guest} />}
        {!isVisiting && own.length === 0 && connection.state === 'up' && <Invitation title="Nothing is open" layouts />}
      </div>
    </div>
  );
}

/** The server is away. Pages live on; nothing can be changed. */
function Lost({ reason, isKnown }: { reason: string; isKnown: boolean }): ReactElement {
  return (
    <p className="lost" role="status">
      <strong>{isKnown ? 'The server is away.' : 'The server does not answer.'}</strong> {reason}{' '}
      {isKnown ? 'Pages go on; nothing can be moved until it is back. Trying again…' : 'Start deskwire; this page connects by itself.'}
    </p>
  );
}

function Elsewhere({ workspace }: { workspace: Workspace }): ReactElement {
  const actions = useActions();
  const count = workspace.windows.size;
  return (
    <div className="elsewhere">
      <h2>{workspace.title}</h2>
      <p>This workspace is on another page.</p>
      <p className="quiet">
        {count === 1 ? 'Its window starts' : `Its ${count} windows start`} here anew, with what {count === 1 ? 'it was' : 'they were'} about.
      </p>
      <Button look="main" onClick={() => void actions.claim(workspace.id)}>
        Bring here
      </Button>
    </div>
  );
}
