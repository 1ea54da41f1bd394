// A desk page as the bus sees one: it holds a frame, and loads the page of every window at once.

import { startApp } from './app.mjs';

/** @typedef {import('node:test').TestContext} TestContext */

/**
 * Attaches a page to the desk, and waits until it is told of everything. It emits the ticket of each
 * window whose page it loads.
 *
 * @param {TestContext} t
 * @param {string} gateway
 */
export async function openDesk(t, gateway) {
  const page = await startApp(t, gateway, 'desk');
  await page.run(async ({ io, emit }) => {
    const call = async (/** @type {string} */ method, /** @type {object} */ args) =>
      (await io.interop.invoke(method, args)).returned;
    const { frameId } = await call('Deskwire.Frame.Attach', { bounds: { left: 0, top: 0, width: 1200, height: 800 } });
    const seen = new Set();
    const load = async (/** @type {any} */ window) => {
      if (window.state !== 'loading' || seen.has(window.instanceId)) return;
      seen.add(window.instanceId);
      const ticket = await call('Deskwire.Frame.Window', { windowId: window.windowId });
      await call('Deskwire.Frame.Report', { windowId: window.windowId, state: 'loaded' });
      emit({ ...ticket, windowId: window.windowId });
    };
    const events = await io.interop.subscribe('Deskwire.Frame.Events', { arguments: { frameId } });
    await new Promise((resolve) => {
      events.onData(({ data }) => {
        const workspaces = data.workspaces ?? (data.workspace ? [data.workspace] : []);
        for (const workspace of workspaces) {
          // Of a window that is gone meanwhile there is nothing to load.
          for (const window of Object.values(workspace.windows)) load(window).catch(() => {});
        }
        if (data.type === 'snapshot') resolve(undefined);
      });
    });
  });
  return page;
}

/**
 * The page of a window, which logs in with the token of its ticket.
 *
 * @param {TestContext} t
 * @param {{ gatewayUrl: string, gatewayToken: string, application: string }} ticket
 */
export async function loadPage(t, ticket) {
  return await startApp(t, ticket.gatewayUrl, ticket.application, { auth: { gatewayToken: ticket.gatewayToken } });
}
