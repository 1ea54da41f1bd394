// The buttons at the end of a pane's strip: fill the workspace, and a small menu.

import { childrenOf, findItem } from '@deskwire/layout';
import type { ItemId } from '@deskwire/layout';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Maximize2 from 'lucide-react/icons/maximize-2';
import Minimize2 from 'lucide-react/icons/minimize-2';
import { useContext } from 'react';
import type { ReactElement } from 'react';
import { useShell } from '../app/shell.ts';
import type { FrameEdit } from '../desktop/actions.ts';
import type { WindowInfo, Workspace } from '../desktop/model.ts';
import { windowName } from '../desktop/select.ts';
import { useActions, useDesktop } from '../ui/desktop.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx';
import { PaneToolSlot } from './slots.ts';

interface PaneToolsProps {
  readonly workspace: Workspace;
  readonly pane: ItemId;
}

export function PaneTools({ workspace, pane }: PaneToolsProps): ReactElement | null {
  const actions = useActions();
  const show = useShell((shell) => shell.show);
  const Extra = useContext(PaneToolSlot);
  const front = frontOf(workspace, pane);
  const title = useDesktop((state) => front && windowName(state, front));
  if (front === undefined) return null;
  const isMaximized = workspace.maximized !== undefined;
  const edit = (op: FrameEdit) => () => void actions.edit(workspace.id, op);
  const toggle = edit(isMaximized ? { op: 'restore' } : { op: 'maximize', item: pane });
  const label = isMaximized ? 'Restore' : 'Maximize';
  return (
    <>
      {front.focused && <span className="pane-focus" hidden />}
      {Extra !== undefined && <Extra window={front} />}
      <IconButton icon={isMaximized ? Minimize2 : Maximize2} label={label} className="pane-tool" onClick={toggle} />
      <Menu
        align="end"
        trigger={
          <button type="button" className="ui-icon-button pane-tool" aria-label={`More about ${title}`}>
            <ChevronDown className="ui-icon" aria-hidden />
          </button>
        }
      >
        <MenuItem label={`Reload ${title}`} onClick={edit({ op: 'reload', item: front.itemId })} />
        <MenuItem label={label} onClick={toggle} />
        <MenuItem label={`Rename ${title}…`} onClick={() => show({ kind: 'rename-window', workspaceId: workspace.id, itemId: front.itemId })} />
        <MenuLine />
        <MenuItem label={`Close ${title}`} onClick={edit({ op: 'remove', item: front.itemId })} />
        {pane !== front.itemId && <MenuItem label="Close all in this pane" onClick={edit({ op: 'remove', item: pane })} />}
      </Menu>
    </>
  );
}

function frontOf({ tree, windows }: Workspace, pane: ItemId): WindowInfo | undefined {
  const item = findItem(tree.children, pane);
  if (item === undefined) return undefined;
  const front = item.kind === 'group' ? childrenOf(item)[item.active ?? 0] : item;
  return front && windows.get(front.id);
}
