// A page of the demo: asks the desk for the bus, joins it, wears the desk's colours, and says so in words
// where one of these does not work.

import { start } from '@deskwire/client';
import type { Session, Style, Theme } from '@deskwire/client';
import IODesktop from '@interopio/desktop';
import type { IOConnectDesktop } from '@interopio/desktop';
import { h, show } from './dom.ts';
import { servicesOn } from './services.ts';
import type { Services } from './services.ts';

export interface Page {
  readonly root: HTMLElement;
  readonly session: Session;
  readonly io: IOConnectDesktop.API;
  readonly services: Services;
  /** Name of the context that the applications of the workspace share; none outside of a workspace. */
  readonly shared: string | undefined;
}

/** Runs `main` once the page is on the bus. */
export async function open(title: string, main: (page: Page) => Promise<void>): Promise<void> {
  const root = document.getElementById('page') ?? document.body.appendChild(h('div'));
  try {
    const session = await start();
    dress(session.theme, session.style);
    session.onTheme(dress);
    session.setTitle(title);
    const io = await join(session);
    const shared = session.workspaceId === undefined ? undefined : `___workspace___${session.workspaceId}`;
    root.before(presence(io));
    await main({ root, session, io, services: servicesOn(io), shared });
  } catch (error) {
    show(root, ...excuse(title, error));
  }
}

function dress(theme: Theme, style: Style): void {
  const root = document.documentElement;
  root.style.colorScheme = theme;
  for (const [name, value] of Object.entries(style)) if (name.startsWith('--')) root.style.setProperty(name, value);
}

const join = (session: Session): Promise<IOConnectDesktop.API> =>
  IODesktop({
    application: session.application,
    gateway: { protocolVersion: 3, ws: session.gatewayUrl },
    auth: { gatewayToken: session.gatewayToken },
    appManager: 'full',
    activities: false,
    channels: false,
    displays: false,
    exposeAPI: false,
    layouts: false,
    metrics: false,
    windows: false,
    logger: { console: 'error', publish: 'off' },
  });

/** Says while the bus is away that what the page shows may be old. */
function presence(io: IOConnectDesktop.API): HTMLElement {
  const line = h('p', { class: 'alert', role: 'status' });
  io.connection.disconnected(() => show(line, 'The bus is away: what you see may be old. Trying to get back to it…'));
  io.connection.connected(() => show(line));
  return line;
}

function excuse(title: string, error: unknown): Node[] {
  const desk = `${location.protocol}//localhost${location.port && `:${location.port}`}/`;
  const why = error instanceof Error ? error.message : String((error as { message?: unknown } | null)?.message ?? error);
  return [
    h('p', { class: 'state' }, `${title} needs the desk: it takes its data from the applications of the desktop. `, 'Open ', h('a', { href: desk, target: '_top' }, desk), ` and start ${title} there.`),
    h('p', { class: 'state' }, why),
  ];
}
