// Channels and who is on them. The bus tells of contexts that change, but neither of those that come
// and go nor of who joins: that is asked for, again and again while somebody looks.

import type { Port } from '../bus/port.ts';
import type { Clock } from './clock.ts';
import type { Channel } from './model.ts';
import { CHANNEL_PREFIX, readChannel, readMemberships } from './read/channels.ts';
import type { DeskEvent } from './reduce.ts';

/** How old what is known may be, in milliseconds. */
const EVERY_MS = 3_000;
const MAX_CHANNELS = 256;

export interface ChannelOptions {
  readonly port: Port;
  readonly dispatch: (event: DeskEvent) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Resolves when the channels are known for the first time. */
export async function followChannels({ port, dispatch, clock, signal }: ChannelOptions): Promise<void> {
  const followed = new Map<string, Promise<() => void>>();
  const channels = new Map<string, Channel>();

  const tell = (): void => {
    const all = [...followed.keys()].flatMap((name) => channels.get(name) ?? []);
    dispatch({ type: 'channels', channels: all });
  };

  function follow(name: string): void {
    const following = port.followContext(name, (data) => {
      const channel = readChannel(data);
      const known = channels.get(name);
      if (channel === undefined || (channel.name === known?.name && channel.color === known.color)) return;
      channels.set(name, channel);
      tell();
    });
    followed.set(name, following);
    // One that was gone before it could be followed is missed at the next look.
    following.catch(() => followed.delete(name));
  }

  async function look(): Promise<void> {
    const names = new Set(port.contextNames().filter((name) => name.startsWith(CHANNEL_PREFIX)).slice(0, MAX_CHANNELS));
    for (const name of names) if (!followed.has(name)) follow(name);
    for (const [name, following] of followed) {
      if (names.has(name)) continue;
      followed.delete(name);
      channels.delete(name);
      following.then((end) => end(), () => undefined);
      tell();
    }
    dispatch({ type: 'memberships', memberships: readMemberships(await channelsInfo(port)) });
  }

  const again = (): void => {
    if (signal.aborted) return;
    const isSeen = typeof document === 'undefined' || document.visibilityState === 'visible';
    // A look that failed is one that comes again.
    void (isSeen ? look().catch(() => undefined) : Promise.resolve()).then(() => clock.later(EVERY_MS, again));
  };
  await look();
  clock.later(EVERY_MS, again);
}

export async function channelsInfo(port: Pick<Port, 'call'>): Promise<unknown> {
  return await port.call('T42.Channels.Announce', { command: 'getChannelsInfo', data: {} });
}
