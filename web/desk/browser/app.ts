// A page of an application as its maker writes it: it asks the desk, and joins the bus with the
// library of the desktop. Tests reach it by `app`.

import { start } from '@deskwire/client';
import IODesktop from '@interopio/desktop';

async function open() {
  const session = await start();
  const io = await IODesktop({
    application: session.application,
    gateway: { protocolVersion: 3, ws: session.gatewayUrl },
    auth: { gatewayToken: session.gatewayToken },
    appManager: 'full',
    channels: true,
    logger: 'off',
  });
  return { session, io };
}

declare global {
  var app: ReturnType<typeof open>;
}

globalThis.app = open();
