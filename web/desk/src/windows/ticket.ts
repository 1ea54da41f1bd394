// The answers of `Deskwire.Frame.Window` and `Deskwire.Frame.Probe`. An address comes from a definition,
// which anybody may have written: only pages of the web, and never of the desk's own origin, where a
// page could reach into the desk.

import { fieldsOf, nameIn, textIn } from '../desktop/read/fields.ts';
import type { Probe, Ticket, Trouble } from './page.ts';

/** How long a token or an address may be, in characters. */
const MAX_LENGTH = 16_384;

export type TicketRead =
  | { readonly ok: true; readonly ticket: Ticket }
  | { readonly ok: false; readonly trouble: Trouble };

export function readTicket(answer: unknown, ownOrigin: string): TicketRead {
  const from = fieldsOf(answer);
  const long = (key: string): string | undefined => {
    const value = from?.[key];
    return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH ? value : undefined;
  };
  const [instanceId, application] = [nameIn(from?.['instanceId']), nameIn(from?.['application'])];
  const [url, gatewayUrl, gatewayToken] = [long('url'), long('gatewayUrl'), long('gatewayToken')];
  if (instanceId === undefined || application === undefined || gatewayUrl === undefined || gatewayToken === undefined) {
    return { ok: false, trouble: { kind: 'failed', reason: 'the platform gave the window no ticket that can be read' } };
  }
  const address = checkAddress(url ?? '', ownOrigin);
  if (!address.ok) return address;
  const workspaceId = nameIn(from?.['workspaceId']);
  const startingContext = fieldsOf(from?.['startingContext']) ?? {};
  return { ok: true, ticket: { instanceId, application, url: address.url, gatewayUrl, gatewayToken, startingContext, workspaceId } };
}

type Address = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly trouble: Trouble };

export function checkAddress(text: string, ownOrigin: string): Address {
  const refuse = (reason: string, fix: string): Address => ({ ok: false, trouble: { kind: 'address', reason, fix } });
  const fix = 'Give its definition an http or https address in details.url';
  if (!URL.canParse(text)) return refuse(`its address, ${shown(text)}, is none that can be read`, fix);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse(`its address begins with ${url.protocol}, which is no page of the web`, fix);
  if (url.origin === ownOrigin) {
    return refuse(`its address, ${shown(text)}, is on the desk's own origin, where it could reach into the desk`, 'Serve it under another name or port');
  }
  return { ok: true, url: url.href };
}

function shown(text: string): string {
  return `“${text.slice(0, 200)}”`;
}

const CODES: ReadonlySet<unknown> = new Set<Trouble['kind']>(['unreachable', 'slow', 'status', 'framing']);

/** Nothing, where the answer says nothing. */
export function readProbe(answer: unknown): Probe | undefined {
  const from = fieldsOf(answer);
  if (from?.['ok'] === true) return { ok: true };
  if (from?.['ok'] !== false || !CODES.has(from['code'])) return undefined;
  const kind = from['code'] as Trouble['kind'];
  return { ok: false, trouble: { kind, reason: textIn(from['reason']) ?? 'its page cannot be loaded', fix: textIn(from['fix']) } };
}
