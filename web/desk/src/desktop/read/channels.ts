// Channels: contexts on the bus, and who is on which.

import type { Channel } from '../model.ts';
import { fieldsOf, nameIn, readAll } from './fields.ts';

/** The context of a channel is called by this and its name. */
export const CHANNEL_PREFIX = '___channel___';

const MAX_MEMBERS = 5_000;

/** A name or a number of a colour, and nothing that could be more than one. */
const COLOUR = /^(#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]{3,20})$/i;

const GREY = '#808a99';

export function readChannel(data: unknown): Channel | undefined {
  const from = fieldsOf(data);
  const name = nameIn(from?.['name']);
  if (name === undefined) return undefined;
  const colour = fieldsOf(from?.['meta'])?.['color'];
  return { name, color: typeof colour === 'string' && COLOUR.test(colour) ? colour : GREY };
}

/** The answer to `getChannelsInfo`: the channel of each member that is on one. */
export function readMemberships(data: unknown): Map<string, string> {
  return new Map(readAll(fieldsOf(data)?.['windows'], MAX_MEMBERS, readMember));
}

function readMember(value: unknown): [string, string] | undefined {
  const from = fieldsOf(value);
  const [member, channel] = [nameIn(from?.['windowId']), nameIn(from?.['channel'])];
  return member === undefined || channel === undefined ? undefined : [member, channel];
}
