// A program of somebody else's: Node, with the library of the desktop as it comes.

import IODesktop from '@interopio/desktop';
import type { IOConnectDesktop } from '@interopio/desktop';
import type { Server } from './server.ts';

/** Joins the bus; with a token, as whom the token says. */
export async function joinBus(server: Server, application: string, gatewayToken?: string): Promise<IOConnectDesktop.API> {
  return await IODesktop({
    application,
    gateway: { protocolVersion: 3, ws: `ws://127.0.0.1:${server.port}/gw` },
    auth: gatewayToken === undefined ? { username: 'test', password: 'test' } : { gatewayToken },
    appManager: 'full',
    layouts: 'full',
    channels: true,
    logger: 'off',
  });
}
