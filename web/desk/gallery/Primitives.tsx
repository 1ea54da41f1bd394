import LayoutGrid from 'lucide-react/icons/layout-grid';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ChannelMark } from '../src/channels/ChannelMark.tsx';
import { Button } from '../src/ui/Button.tsx';
import { IconButton } from '../src/ui/IconButton.tsx';
import { Kbd } from '../src/ui/Kbd.tsx';
import { Menu, MenuChoice, MenuItem, MenuLine, Submenu } from '../src/ui/Menu.tsx';
import { SearchField } from '../src/ui/SearchField.tsx';
import { TextField } from '../src/ui/TextField.tsx';

const nothing = (): void => {};

export function Primitives(): ReactElement {
  const [choice, setChoice] = useState('Blue');
  return (
    <div className="gallery-sheet">
      <div className="gallery-line">
        <Button look="main">Create workspace</Button>
        <Button>Cancel</Button>
        <Button look="danger">Delete</Button>
        <Button look="quiet">Reset</Button>
        <Button disabled>Not now</Button>
        <Button look="main" disabled>
          Not now
        </Button>
      </div>
      <div className="gallery-line">
        <IconButton icon={LayoutGrid} label="Arrange" />
        <IconButton icon={Trash2} label="Remove" />
        <Kbd keys="mod+shift+s" />
        <ChannelMark color="#2f6fe0" />
        <ChannelMark color="#e0b021" />
        <ChannelMark color={undefined} />
      </div>
      <div className="gallery-line">
        <TextField label="Name" defaultValue="Client desk" hint="It opens again from the launcher." />
        <TextField label="Name" defaultValue="" error="Give it a name to find it by." />
        <SearchField label="Search" placeholder="Search" value="" onChange={nothing} />
      </div>
      <div className="gallery-line">
        <Menu trigger={<Button>Menu</Button>}>
          <MenuItem label="Save" keys="mod+s" onClick={nothing} />
          <MenuItem label="Close" unavailable="No workspace is open." onClick={nothing} />
          <MenuLine />
          <Submenu label="Restore layout">
            <MenuItem label="Client desk" detail="Clients, their portfolio and orders" onClick={nothing} />
          </Submenu>
          <MenuLine />
          <MenuChoice
            label="Channel"
            value={choice}
            onChange={setChoice}
            options={[
              { value: 'Red', label: 'Red', mark: <ChannelMark color="#d9322e" /> },
              { value: 'Blue', label: 'Blue', mark: <ChannelMark color="#2f6fe0" /> },
            ]}
          />
        </Menu>
      </div>
    </div>
  );
}
