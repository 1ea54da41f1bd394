// A peer that speaks frames by hand, for what no library would send.

import { WebSocket } from 'ws';
import { Log, within } from './events.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

export class Refused extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`the upgrade was answered with ${status}`);
    this.status = status;
  }
}

export class WirePeer {
  /** @type {Log<any>} */
  frames = new Log();
  /** @type {Promise<{ code: number, reason: string }>} */
  closed;
  peerId = '';
  #requests = 0;

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.socket = socket;
    socket.on('message', (data) => this.frames.push(JSON.parse(data.toString())));
    socket.on('error', () => {}); // `close` follows and tells
    this.closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
  }

  /** @param {object} frame */
  send(frame) {
    this.socket.send(JSON.stringify({ ...(this.peerId && { peer_id: this.peerId }), ...frame }));
  }

  /**
   * Sends a request and waits for its reply, success or error.
   *
   * @param {Record<string, unknown>} frame
   * @returns {Promise<any>}
   */
  async request(frame) {
    const request_id = `q${++this.#requests}`;
    this.send({ request_id, ...frame });
    return await this.frames.until(`the reply to ${frame.type}`, (all) => all.find((seen) => seen.request_id === request_id));
  }

  /** @param {string} application */
  async hello(application) {
    const welcome = await this.request({
      type: 'hello',
      domain: 'global',
      identity: { application, applicationName: application },
      authentication: { method: 'secret', login: 'test', secret: 'test' },
    });
    if (welcome.type !== 'welcome') throw new Error(`hello was answered with ${JSON.stringify(welcome)}`);
    this.peerId = welcome.peer_id;
    return welcome;
  }

  async join(destination = 'agm') {
    return await this.request({ type: 'join', domain: 'global', destination });
  }

  /** @param {object[]} methods */
  async register(methods) {
    return await this.request({ type: 'register', domain: 'agm', methods });
  }
}

/**
 * Opens a WebSocket; rejects with `Refused` when the server answers with another status.
 *
 * @param {TestContext} t
 * @param {string} url
 * @param {Record<string, string>} [headers]
 */
export async function openWire(t, url, headers = {}) {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  t.after(() => socket.terminate());
  const peer = new WirePeer(socket);
  await within(
    `a WebSocket to ${url}`,
    new Promise((resolve, reject) => {
      socket.on('open', () => resolve(undefined));
      socket.on('error', reject);
      socket.on('unexpected-response', (request, response) => {
        response.resume();
        request.destroy();
        reject(new Refused(response.statusCode ?? 0));
      });
    }),
  );
  return peer;
}

/**
 * A peer that has said hello and joined the interop domain.
 *
 * @param {TestContext} t
 * @param {string} url
 * @param {string} application
 */
export async function joinWire(t, url, application) {
  const peer = await openWire(t, url);
  await peer.hello(application);
  await peer.join();
  return peer;
}
