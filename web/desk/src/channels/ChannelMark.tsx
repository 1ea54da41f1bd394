import type { ReactElement } from 'react';
import './channels.css';

/** A small mark in the colour of a channel; a ring where there is none. The name stands beside it. */
export function ChannelMark({ color }: { readonly color: string | undefined }): ReactElement {
  return <span className="channel-mark" style={{ backgroundColor: color }} data-none={color === undefined || undefined} aria-hidden />;
}
