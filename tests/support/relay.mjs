// A wire between an application and its gateway that a test can cut.

import net from 'node:net';

/** @typedef {import('node:test').TestContext} TestContext */

/**
 * @typedef {object} Relay
 * @property {string} url what the application connects to instead
 * @property {() => void} cut both ends lose their socket, and no new one is let through
 * @property {() => void} mend lets new ones through again
 * @property {() => void} orphan the application loses its socket; the gateway's stays open and falls silent
 */

/**
 * @param {TestContext} t
 * @param {string} gateway WebSocket URL
 * @returns {Promise<Relay>}
 */
export async function startRelay(t, gateway) {
  const { hostname, port, pathname } = new URL(gateway);
  /** @type {Set<{ near: net.Socket, far: net.Socket }>} */
  const wires = new Set();

  let open = true;
  const server = net.createServer((near) => {
    if (!open) return void near.destroy();
    const far = net.connect(Number(port), hostname);
    const wire = { near, far };
    wires.add(wire);
    // The request names the relay; the gateway wants to read its own name.
    near.once('data', (head) => {
      far.write(head.toString('latin1').replace(/^host: .*$/im, `Host: ${hostname}:${port}`), 'latin1');
      near.pipe(far);
    });
    far.pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.on('close', () => wires.delete(wire));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));

  /** @type {net.Socket[]} */
  const orphans = [];
  const cut = () => {
    open = false;
    for (const { near, far } of wires) {
      near.destroy();
      far.destroy();
    }
  };
  const mend = () => {
    open = true;
  };
  const orphan = () => {
    for (const { near, far } of wires) {
      near.unpipe(far);
      far.unpipe(near);
      far.pause();
      orphans.push(far);
      near.destroy();
    }
  };
  t.after(() => {
    cut();
    for (const far of orphans) far.destroy();
    server.close();
  });

  const address = /** @type {net.AddressInfo} */ (server.address());
  return { url: `ws://127.0.0.1:${address.port}${pathname}`, cut, mend, orphan };
}
