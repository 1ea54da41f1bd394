// What is done on each new connection: take the frame, hear how everything is, and follow it.

import type { Port } from '../bus/port.ts';
import { refusalOf } from '../bus/port.ts';
import { attach } from './attach.ts';
import type { AttachOptions } from './attach.ts';
import { followChannels } from './channels.ts';
import type { Clock } from './clock.ts';
import { readApplicationsEvent, readLayoutsEvent } from './read/catalog.ts';
import { readFrameEvent } from './read/frames.ts';
import type { DeskEvent } from './reduce.ts';

export interface SessionOptions extends Omit<AttachOptions, 'pause'> {
  readonly port: Port;
  readonly dispatch: (event: DeskEvent) => void;
  /** Says a sentence to the person. */
  readonly tell: (text: string) => void;
  readonly clock: Clock;
  /** Ends with the connection. */
  readonly signal: AbortSignal;
}

/** Resolves when everything is followed. Rejects where the page cannot have a frame. */
export async function beginSession(options: SessionOptions): Promise<void> {
  const { port, clock, signal } = options;
  // A connection that has ended has no news any more, whatever is still on its way.
  const dispatch = (event: DeskEvent | undefined): void => {
    if (event !== undefined && !signal.aborted) options.dispatch(event);
  };
  const frameId = await attach(port, { ...options, pause: clock.pause });
  dispatch({ type: 'attached', frameId });
  await port.subscribe('Deskwire.Frame.Events', { frameId }, (data) => dispatch(readFrameEvent(data)));
  dispatch({ type: 'up' });
  // Each of these is of use without the others.
  const follow = async (what: string, following: Promise<void>): Promise<void> => {
    try {
      await following;
    } catch (error) {
      if (!signal.aborted) options.tell(`${what} cannot be listed: ${refusalOf(error).message}`);
    }
  };
  await Promise.all([
    follow('Applications', port.subscribe('T42.ACS.OnEvent', { skipIcon: true }, (data) => dispatch(readApplicationsEvent(data)))),
    follow('Layouts', port.subscribe('T42.ACS.OnLayoutEvent', {}, (data) => dispatch(readLayoutsEvent(data)))),
    follow('Channels', followChannels({ port, dispatch, clock, signal })),
  ]);
}
