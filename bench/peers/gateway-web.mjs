// The original's open gateway behind WebSocket.
//
//     node gateway-web.mjs
//
// Takes a free port and prints `gateway ws://…` once it listens.

import { createRequire } from 'node:module';
import { WebSocketServer } from 'ws';
import { announce } from './announce.mjs';

console.log = console.error; // the gateway logs on stdout, which is for the address

const { configure_logging, create } = createRequire(import.meta.url)('@glue42/gateway-web/node/gateway-web.js');
configure_logging({ level: 'warn' }); // by default it writes two lines for every call
// By default a client that falls behind by a hundred frames loses the rest.
const gateway = create({ clients: { inactive_seconds: 0, buffer_size: 20_000 } });
await gateway.start();

// `ws` turns Nagle's algorithm off for every socket it accepts.
const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });

server.on('connection', async (socket) => {
  socket.pause();
  const client = await gateway.connect((_, frame) => socket.send(JSON.stringify(frame)));
  socket.on('message', (text) => client.send(JSON.parse(text.toString())));
  socket.on('close', () => client.disconnect());
  socket.resume();
});

server.on('listening', () => announce('gateway', `ws://127.0.0.1:${server.address().port}/gw`));
