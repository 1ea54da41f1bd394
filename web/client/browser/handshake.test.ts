import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as pages from './pages.ts';
import { FOREIGN, launch, serve, starter } from './servers.ts';
import type { Site } from './servers.ts';

let browser: Browser;
let script: string;
let apps: Site;
const sites: Site[] = [];
let page: Page | undefined;

beforeAll(async () => {
  [browser, script] = await Promise.all([launch(), starter()]);
  apps = await site({});
});
afterEach(async () => page?.close());
afterAll(async () => {
  await browser.close();
  await Promise.all(sites.map((one) => one.close()));
});

async function site(more: Record<string, string>): Promise<Site> {
  const made = await serve({ '/deskwire.js': script, '/app': pages.app(), '/neighbour': pages.neighbour, ...more });
  sites.push(made);
  return made;
}

interface Seen {
  session?: { gatewayToken: string; startingContext: unknown };
  themes: unknown[];
  error?: string;
}

/** Opens a desk at `host`, with an application of another origin in it. */
async function open(host: string, path = '/app', more: Record<string, string> = {}) {
  const app = `http://localhost:${(await site(more)).port}`;
  const neighbour = `http://127.0.0.1:${apps.port}/neighbour`;
  const desk = await site({ '/': pages.desk(`${app}${path}`, neighbour) });
  page = await browser.newPage();
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.goto(`http://${host}:${desk.port}/`);
  const [main, inside, beside] = page.frames() as [Frame, Frame, Frame];
  return { page, desk: main, inside, beside, logged, origin: `http://${host}:${desk.port}` };
}

const seen = (frame: Frame): Promise<Seen> => frame.evaluate(() => (window as never as { seen: Seen }).seen);

/** Waits until the page knows how it went. */
async function settled(frame: Frame): Promise<Seen> {
  await frame.waitForFunction('window.seen && (seen.session || seen.error)');
  return seen(frame);
}

test('a page of another origin gets what its window has, and talks back', async () => {
  const { desk, inside } = await open('127.0.0.1');
  expect((await settled(inside)).session).toMatchObject({ gatewayToken: 'token-1', startingContext: { n: 1 } });
  await desk.waitForFunction('state.titles.length === 1');
  expect(await desk.evaluate('state.titles')).toEqual([{ type: 'title', title: 'Title of token-1' }]);
});

test('a theme that the person chooses arrives', async () => {
  const { desk, inside } = await open('127.0.0.1');
  await settled(inside);
  const message = { type: 'theme', theme: 'dark', style: { '--color-text-primary': '#eee' } };
  await desk.evaluate((said) => (window as never as { state: { ports: MessagePort[] } }).state.ports[0]?.postMessage(said), message);
  await inside.waitForFunction('seen.themes.length === 1');
  expect((await seen(inside)).themes).toEqual([{ theme: 'dark', style: message.style }]);
});

test('a page that was reloaded gets a port of its own', async () => {
  const { desk, inside } = await open('127.0.0.1');
  await settled(inside);
  await inside.evaluate('location.reload()').catch(() => undefined); // the page goes while it answers
  await desk.waitForFunction('state.titles.length === 2');
  expect((await settled(inside)).session?.gatewayToken).toBe('token-2');
});

test('a start for another instance reloads the page', async () => {
  const { desk, inside } = await open('127.0.0.1');
  await settled(inside);
  await desk.evaluate(`state.ports[0].postMessage({ ...start(9), instanceId: 'i-2' })`);
  await desk.waitForFunction('state.hellos === 2');
  expect((await settled(inside)).session?.gatewayToken).toBe('token-2');
});

test('a desk on a foreign origin is refused, and the page says which', async () => {
  const { inside, origin } = await open(FOREIGN);
  expect(await settled(inside)).toEqual({ themes: [], error: `${origin} is not in data-desk` });
});

test('a desk on a foreign origin that the page lists is taken', async () => {
  // The port is not known before the desk listens; the page reads it from its own address.
  const listing = `<!doctype html><script>
    document.write('<script src="/deskwire.js" data-desk="https://other.example.com http://${FOREIGN}:' + new URL(document.referrer).port + '"><' + '/script>');
  </script>${pages.app().replace(/^.*?<\/script>/s, '')}`;
  const { inside } = await open(FOREIGN, '/app', { '/app': listing });
  expect((await settled(inside)).session?.gatewayToken).toBe('token-1');
});

test('a port that a neighbour forges is not taken, and the neighbour learns nothing', async () => {
  const { desk, inside, beside } = await open('127.0.0.1', '/app?wait');
  await desk.evaluate('state.silent = true');
  await inside.evaluate('void go()');
  await beside.evaluate('forge()');
  // What one window says to another keeps its order: when the second message is there, the first was.
  await inside.evaluate(`addEventListener('message', ({ data }) => { seen.after ||= data === 'after'; })`);
  await beside.evaluate(`parent.frames[0].postMessage('after', '*')`);
  await inside.waitForFunction('seen.after');
  expect(await seen(inside)).toEqual({ themes: [], after: true });
  await desk.evaluate('state.silent = false');
  await inside.evaluate(`parent.postMessage({ deskwire: 1, type: 'hello' }, '*')`);
  expect((await settled(inside)).session?.gatewayToken).toBe('token-1');
  await desk.waitForFunction('state.titles.length === 1');
  expect(await beside.evaluate('heard')).toEqual([]);
});

test('where nobody answers, the page is told within 10 s', async () => {
  const { desk, inside } = await open('127.0.0.1', '/app?wait');
  await desk.evaluate('state.silent = true');
  await inside.evaluate('void go()');
  expect(await settled(inside)).toEqual({ themes: [], error: 'The desk did not answer in 10 s' });
});

test('a page that is opened by itself is told so', async () => {
  page = await browser.newPage();
  await page.goto(`http://localhost:${apps.port}/app`);
  expect(await settled(page.mainFrame())).toEqual({ themes: [], error: 'This page is not in a desk' });
});

test('the token stands in no address and no log', async () => {
  const { page, inside, logged } = await open('127.0.0.1');
  await settled(inside);
  expect(page.frames().map((frame) => frame.url()).join(' ')).not.toContain('token-');
  expect(logged.join(' ')).not.toContain('token-');
});
