// A peer on the bus, by the original's client library.

import IOConnect from '@interopio/core';

export const joinBus = (gateway, application) =>
  IOConnect({
    application,
    gateway: { ws: gateway, protocolVersion: 3 },
    auth: { username: 'bench', password: 'bench' },
    logger: 'off',
    metrics: false,
  });
