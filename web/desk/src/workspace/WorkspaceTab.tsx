// The tab of one workspace: selected by a click, renamed by a double click or F2, dragged to its place.

import X from 'lucide-react/icons/x';
import type { KeyboardEvent, ReactElement } from 'react';
import type { Workspace } from '../desktop/model.ts';
import type { TabDrag } from './tab-drag.ts';

/** As the platform bounds it, in characters. */
const MAX_TITLE = 200;

interface Properties {
  readonly workspace: Workspace;
  readonly isShown: boolean;
  readonly isRenaming: boolean;
  readonly drag: TabDrag;
  onSelect(): void;
  onClose(): void;
  onKeyDown(event: KeyboardEvent): void;
  onRename(): void;
  /** Without a title: it stays as it was. */
  onRenamed(title: string | undefined): void;
}

export function WorkspaceTab({ workspace, isShown, isRenaming, drag, ...on }: Properties): ReactElement {
  const { id, title, hibernated } = workspace;
  if (isRenaming) return <Rename title={title} onRenamed={on.onRenamed} />;
  return (
    <div className="workspace-tab-place" data-place={id} data-dragged={drag.dragged === id || undefined}>
      <button
        type="button"
        role="tab"
        className="workspace-tab"
        data-workspace={id}
        data-hibernated={hibernated || undefined}
        aria-selected={isShown}
        tabIndex={workspace.selected ? 0 : -1}
        title={hibernated ? `${title} (asleep)` : title}
        onClick={on.onSelect}
        onDoubleClick={on.onRename}
        onKeyDown={on.onKeyDown}
        onPointerDown={(event) => drag.begin(event, id)}
      >
        {title}
      </button>
      {/* For pointers; Delete on the tab does the same, and a list of tabs has nothing but tabs. */}
      <button type="button" className="workspace-close" tabIndex={-1} aria-hidden title={`Close ${title}`} onClick={on.onClose}>
        <X className="ui-icon" />
      </button>
    </div>
  );
}

function Rename({ title, onRenamed }: { title: string; onRenamed(title: string | undefined): void }): ReactElement {
  return (
    <input
      className="workspace-rename"
      aria-label="Name of the workspace"
      defaultValue={title}
      maxLength={MAX_TITLE}
      ref={(input) => input?.select()}
      onBlur={({ currentTarget }) => onRenamed(currentTarget.value.trim() || undefined)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.blur();
        if (key === 'Escape') {
          currentTarget.value = '';
          currentTarget.blur();
        }
      }}
    />
  );
}
