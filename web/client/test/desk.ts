// The desk's side of the conversation, around a page that runs in this very window.

import { vi } from 'vitest';
import type { FromDesk, Start } from '../src/index.ts';

export const DESK = 'http://localhost:4111';

export const START: Start = {
  type: 'start',
  gatewayUrl: 'ws://127.0.0.1:4111/gw',
  gatewayToken: 'secret-of-this-window',
  instanceId: 'i-1',
  application: 'portfolio',
  startingContext: { clientId: 'C-1001' },
  workspaceId: 'w-1',
  theme: 'light',
  style: { '--color-text-primary': '#171c24' },
};

/** A window around this one, which notes what is said to it. */
export function parent() {
  const said: { message: unknown; target: unknown }[] = [];
  const around = { postMessage: (message: unknown, target: unknown) => void said.push({ message, target }) };
  vi.stubGlobal('parent', around);
  return { around: around as unknown as Window, said };
}

export interface Answer {
  readonly source: unknown;
  readonly origin?: string;
  readonly data?: unknown;
  readonly ports?: readonly MessagePort[];
}

/** What arrives at the page's window. */
export function arrive({ source, origin = DESK, data = { deskwire: 1, type: 'port' }, ports = [] }: Answer): void {
  const event = new Event('message');
  dispatchEvent(Object.assign(event, { source, origin, data, ports }));
}

/** A port to hand to the page, and what comes back over it. */
export function channel() {
  const { port1, port2 } = new MessageChannel();
  const heard: unknown[] = [];
  port1.onmessage = ({ data }) => void heard.push(data);
  return { port: port2, heard, say: (message: FromDesk) => port1.postMessage(message) };
}
