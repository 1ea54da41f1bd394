import type { ReactElement } from 'react';
import type { Channel } from '../desktop/model.ts';
import { windowName } from '../desktop/select.ts';
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
  const title = useDesktop((state) => window && windowName(state, window));
  const instance = window?.instanceId;
  if (instance === undefined) {
    return <span className="status-quiet">{title === undefined ? 'no window has the focus' : `${title} has not started`}</span>;
  }
  const name = memberships.get(instance) ?? NONE;
  const current = channels.find((channel) => channel.name === name);
  return (
    <Menu
      side="top"
      align="end"
      trigger={
        <button type="button" className="status-button">
          channel <span className="ui-sr">of {title}:</span> <ChannelMark color={current?.color} /> {name === NONE ? 'none' : name}
        </button>
      }
    >
      <MenuChoice
        label={`Channel of ${title}`}
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
