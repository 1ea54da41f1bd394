// What the tests stand on: the server, a peer that holds a frame as the desk does, and a browser.

import { FLAGS, steady } from '@deskwire/pictures';
import IODesktop from '@interopio/desktop';
import type { IOConnectDesktop } from '@interopio/desktop';
import { chromium } from 'playwright-core';
import type { Frame, Page } from 'playwright-core';
import { build } from 'vite';
import { FRAME } from './frame.ts';
import { startServer } from './server.ts';

/** What a test puts in the place of a page came from no address, so the browser would keep it from those of this machine. */
const LOCAL = '--disable-features=LocalNetworkAccessChecks';

export type App = 'clients' | 'portfolio' | 'orders' | 'notes';

export interface Shown {
  readonly page: Page;
  readonly frame: Frame;
  readonly instanceId: string;
  readonly workspaceId: string;
  /** Name of the context that the workspace shares. */
  readonly shared: string;
  /** What the page wrote to the console, and the errors in it. */
  readonly logged: string[];
}

export interface ShowOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Lets tools of the test run in the page, which its policy forbids. */
  readonly bypassCSP?: boolean;
  /** What the workspace shares at first. */
  readonly context?: object;
  /** What the window is started with. */
  readonly started?: object;
  /** Files of the test on the origin of the pages, by path; the first is shown instead of the application's page. */
  readonly files?: Readonly<Record<string, string>>;
}

interface Workspace {
  readonly id: string;
  readonly windows: Record<string, { windowId: string; state: string }>;
}

export async function startDesk() {
  // Where the server takes the pages from.
  await build({ configFile: new URL('../vite.config.ts', import.meta.url).pathname, logLevel: 'error' });
  const server = await startServer();
  const { port } = new URL(server.gateway);
  const [desk, pages] = [`http://localhost:${port}/`, `http://demo.localhost:${port}`];
  const browser = await chromium.launch({ executablePath: process.env['DESKWIRE_CHROMIUM'] ?? '/usr/bin/chromium', args: [...FLAGS, LOCAL] });
  const io: IOConnectDesktop.API = await IODesktop({
    application: 'test-desk',
    gateway: { protocolVersion: 3, ws: server.gateway },
    auth: { username: 'test', password: 'test' },
    appManager: 'full',
    logger: 'off',
  });
  const call = async <T>(method: string, args: object): Promise<T> => (await io.interop.invoke<T>(method, args)).returned;
  const { frameId } = await call<{ frameId: string }>('Deskwire.Frame.Attach', { bounds: { left: 0, top: 0, width: 1200, height: 800 } });
  const seen = new Map<string, Workspace>();
  const waiting = new Set<() => void>();
  const events = await io.interop.subscribe('Deskwire.Frame.Events', { arguments: { frameId } });
  events.onData(({ data }: { data: { workspaces?: Workspace[]; workspace?: Workspace } }) => {
    for (const one of [...(data.workspaces ?? []), ...(data.workspace ? [data.workspace] : [])]) seen.set(one.id, one);
    for (const look of waiting) look();
  });
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });

  /** Opens a workspace with one window, and shows the window's page as the desk does. */
  async function show(app: App, { theme = 'light', width = 1200, height = 800, bypassCSP = false, context = {}, started = {}, files = {} }: ShowOptions = {}): Promise<Shown> {
    const children = [{ type: 'window', appName: app, config: { context: started } }];
    const { id: workspaceId } = await call<{ id: string }>('T42.Workspaces.Control', {
      operation: 'createWorkspace',
      operationArguments: { children, context, config: { title: app } },
    });
    const windowId = await until(() => Object.values(seen.get(workspaceId)?.windows ?? {}).find(({ state }) => state === 'loading')?.windowId);
    const ticket = await call<Record<string, unknown> & { instanceId: string }>('Deskwire.Frame.Window', { windowId });
    const opened = await steady(browser, { viewport: { width, height }, bypassCSP });
    await opened.route(desk, (route) => route.fulfill({ contentType: 'text/html', body: FRAME }));
    for (const [path, body] of Object.entries(files)) {
      const contentType = path.endsWith('.js') ? 'text/javascript' : 'text/html';
      await opened.route(`${pages}${path}`, (route) => route.fulfill({ contentType, body }));
    }
    const page = await opened.newPage();
    page.setDefaultTimeout(60_000);
    const logged: string[] = [];
    page.on('console', (message) => logged.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => logged.push(`error: ${error.message}`));
    await page.goto(desk);
    const { gatewayToken, instanceId, application, startingContext } = ticket;
    const start = { type: 'start', gatewayUrl: server.gateway, gatewayToken, instanceId, application, startingContext, workspaceId, theme, style: {} };
    const url = `${pages}${Object.keys(files)[0] ?? `/${app}/`}`;
    const navigated = page.waitForEvent('framenavigated', (one) => one.url() === url);
    await page.evaluate(([to, what]) => (window as never as { show(url: unknown, start: unknown): void }).show(to, what), [url, start] as const);
    const frame = await navigated;
    return { page, frame, instanceId, workspaceId, shared: `___workspace___${workspaceId}`, logged };
  }

  async function stop(): Promise<void> {
    await browser.close();
    await io.done();
    await server.stop();
  }
  return { io, browser, server, pages, call, show, stop };
}

export type Desk = Awaited<ReturnType<typeof startDesk>>;
