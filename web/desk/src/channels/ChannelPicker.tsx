import type { ReactElement } from 'react';
import type { Channel } from '../desktop/model.ts';
import { useActions, useDesktop } from '../ui/desktop.ts';
import { focusedWindow } from '../ui/current.ts';
import { Menu, MenuChoice } from '../ui/Menu.tsx';
import { ChannelMark } from './ChannelMark.tsx';

const NONE = '';

/** The channel of the window that has the focus, and the choice of another. */
export function ChannelPicker(): ReactElement {
  const actions = useActions();
  const window = useDesktop(focusedWindow);
  const channels = useDesktop((state) => state.channels);
  const memberships = useDesktop((state) => state.memberships);
  const instance = window?.instanceId;
  if (window === undefined || instance === undefined) {
    return <span className="status-quiet">{window === undefined ? 'no window has the focus' : `${window.title} has not started`}</span>;
  }
  const name = memberships.get(instance) ?? NONE;
  const current = channels.find((channel) => channel.name === name);
  return (
    <Menu
      side="top"
      align="end"
      trigger={
        <button type="button" className="status-button">
          channel <span className="ui-sr">of {window.title}:</span> <ChannelMark color={current?.color} /> {name === NONE ? 'none' : name}
        </button>
      }
    >
      <MenuChoice
        label={`Channel of ${window.title}`}
        value={name}
        onChange={(next) => void actions.joinChannel(instance, next === NONE ? undefined : next)}
        options={[{ value: NONE, label: 'None', mark: <ChannelMark color={undefined} /> }, ...channels.map(optionOf)]}
      />
    </Menu>
  );
}

function optionOf({ name, color }: Channel): { value: string; label: string; mark: ReactElement } {
  return { value: name, label: name, mark: <ChannelMark color={color} /> };
}
