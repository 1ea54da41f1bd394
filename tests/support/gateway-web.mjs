// The original's open gateway served over WebSocket: the reference that ours is measured against.
//
//     node gateway-web.mjs [PORT]
//
// Port 0, or none, takes a free one. Prints its URL on stdout once it listens; a signal ends it.

import { createRequire } from 'node:module';
import process from 'node:process';
import { WebSocketServer } from 'ws';

console.log = console.error; // the gateway logs on stdout, which is for the URL alone

const { create } = createRequire(import.meta.url)('@glue42/gateway-web/node/gateway-web.js');
const gateway = create({ clients: { inactive_seconds: 0 } });
await gateway.start();

const server = new WebSocketServer({ host: '127.0.0.1', port: Number(process.argv[2] ?? 0) });

server.on('connection', (socket) => {
  const client = Promise.resolve(
    gateway.connect((/** @type {unknown} */ _, /** @type {object} */ frame) => socket.send(JSON.stringify(frame))),
  );
  socket.on('message', async (text) => (await client).send(JSON.parse(text.toString())));
  socket.on('close', async () => (await client).disconnect());
});

server.on('listening', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`ws://127.0.0.1:${port}/gw\n`);
});
