// The desk's side of the handshake: whose hello is answered, and what a page may say over its port. Pure.

import { VERSION } from '@deskwire/client';
import type { Start } from '@deskwire/client';
import { fieldsOf } from '../desktop/read/fields.ts';
import type { Theme } from '../theme/theme.ts';
import type { Ticket } from './page.ts';

/** How many hellos of one window are answered in a second; a page is loaded anew less often. */
export const HELLOS_PER_SECOND = 5;
/** How long a title is that is shown, in characters. */
export const MAX_TITLE = 200;

/** Whether a message is a hello. */
export function isHello(data: unknown): boolean {
  const message = fieldsOf(data);
  return message?.['deskwire'] === VERSION && message['type'] === 'hello';
}

/**
 * The times of the hellos that were answered lately, with this one; nothing if it is one too many.
 * Times are in milliseconds.
 */
export function countHello(times: readonly number[], now: number): readonly number[] | undefined {
  const lately = times.filter((time) => now - time < 1_000);
  return lately.length < HELLOS_PER_SECOND ? [...lately, now] : undefined;
}

/** What a page wants its tab to say, as text without line breaks and control characters. */
export function readTitle(data: unknown): string | undefined {
  const message = fieldsOf(data);
  if (message?.['type'] !== 'title' || typeof message['title'] !== 'string') return undefined;
  const title = message['title'].slice(0, 4 * MAX_TITLE).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return title === '' ? undefined : Array.from(title).slice(0, MAX_TITLE).join('');
}

export function startMessage(ticket: Ticket, workspaceId: string, { theme, style }: Theme): Start {
  const { gatewayUrl, gatewayToken, instanceId, application, startingContext } = ticket;
  return {
    type: 'start',
    gatewayUrl,
    gatewayToken,
    instanceId,
    application,
    startingContext,
    workspaceId: ticket.workspaceId ?? workspaceId,
    theme,
    style,
  };
}
