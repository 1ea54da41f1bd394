import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactElement } from 'react';
import { titleOfLayout } from '../desktop/select.ts';
import { Menu, MenuEmpty, MenuItem, MenuLine, Submenu } from '../ui/Menu.tsx';
import { deleteLayout, newWorkspace, openLayout, pageCommands, workspaceCommands } from './commands.ts';
import type { Command } from './commands.ts';
import { useHands } from './useHands.ts';

export function BrandMenu(): ReactElement {
  return (
    <Menu
      trigger={
        <button type="button" className="topbar-brand">
          Deskwire <ChevronDown className="ui-icon" aria-hidden />
        </button>
      }
    >
      <Items />
    </Menu>
  );
}

/** Rendered while the menu is open. */
function Items(): ReactElement {
  const hands = useHands();
  const { layouts } = hands.state;
  const own = layouts.filter(({ readOnly }) => !readOnly);
  return (
    <>
      <CommandItem command={newWorkspace(hands)} />
      <MenuLine />
      {workspaceCommands(hands).map((command) => (
        <CommandItem key={command.id} command={command} />
      ))}
      <MenuLine />
      <Submenu label="Restore layout">
        {layouts.length === 0 && <MenuEmpty>Nothing is saved yet.</MenuEmpty>}
        {layouts.map((layout) => (
          <CommandItem key={layout.name} command={openLayout(layout, hands)} />
        ))}
      </Submenu>
      {own.length > 0 && (
        <Submenu label="Delete layout">
          {own.map((layout) => (
            <CommandItem key={layout.name} command={{ ...deleteLayout(layout, hands), title: `${titleOfLayout(layout)}…` }} />
          ))}
        </Submenu>
      )}
      <MenuLine />
      {pageCommands(hands).map((command) => (
        <CommandItem key={command.id} command={{ ...command, detail: undefined }} />
      ))}
    </>
  );
}

function CommandItem({ command }: { readonly command: Command }): ReactElement {
  const { title, detail, keys, unavailable, run } = command;
  return <MenuItem label={title} detail={detail} keys={keys} unavailable={unavailable} onClick={run} />;
}
