// Windows with real pages in them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { countIn, dragTab, heardIn, layoutOf, leave, openLayout, pageIn, pressSplitter, startDesk, windowApp } from './desk.ts';
import type { DeskUnderTest } from './desk.ts';

let desk: DeskUnderTest;
beforeAll(async () => {
  desk = await startDesk({
    applications: (pages) => [
      windowApp('clients', `${pages}/clients`),
      windowApp('orders', `${pages}/orders`),
      windowApp('notes', `${pages}/notes`),
      windowApp('quiet', `${pages}/quiet`),
      windowApp('script', 'javascript:alert(1)'),
      windowApp('inside', '/own-origin'),
    ],
    layouts: [
      layoutOf('trading', ['clients', 'orders'], ['notes']),
      layoutOf('odd', ['script'], ['quiet'], ['nobody-knows']),
      layoutOf('forged', ['clients'], ['quiet']),
    ],
  });
});
afterAll(async () => {
  await desk?.close();
});

test('pages go on counting while their windows are dragged, resized, hidden and maximised', async () => {
  const page = await desk.open();
  await openLayout(page, 'trading');
  const notes = await pageIn(page, '/notes');
  const clients = await pageIn(page, '/clients');
  const from = Math.min(await countIn(notes), await countIn(clients));

  await pressSplitter(page, 'ArrowLeft');
  await dragTab(page, 'Notes', 'Orders');
  await page.waitForFunction(() => document.querySelectorAll('.layout-pane').length === 1);
  await page.getByRole('tab', { name: 'Clients', exact: true }).click();
  await page.getByRole('button', { name: 'Maximize' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByRole('heading', { name: 'This workspace is empty' }).waitFor();
  await page.getByRole('tab', { name: 'trading', exact: true }).click();
  await page.getByRole('button', { name: 'Maximize' }).waitFor();

  for (const frame of [notes, clients]) {
    expect(frame.isDetached()).toBe(false);
    const heard = await heardIn(frame);
    // One start: it was loaded once.
    expect(heard.filter(({ type }) => type === 'start').length).toBe(1);
    expect(await countIn(frame)).toBeGreaterThan(from);
  }
  await leave(page);
});

test('a page is told who it is, and hears of another theme; its title is shown as text', async () => {
  const page = await desk.open({ colorScheme: 'dark' });
  await openLayout(page, 'forged');
  const clients = await pageIn(page, '/clients');
  const [start] = await heardIn(clients);
  expect(start).toMatchObject({ type: 'start', application: 'clients', theme: 'dark', startingContext: {} });
  expect(start?.['gatewayUrl']).toBe(`ws://127.0.0.1:${desk.server.port}/gw`);
  expect(start?.['style']).toMatchObject({ '--color-background-primary': '#1b1f26' });
  expect(typeof start?.['gatewayToken']).toBe('string');
  await page.emulateMedia({ colorScheme: 'light' });
  const [, theme] = await heardIn(clients, 2);
  expect(theme).toMatchObject({ type: 'theme', theme: 'light', style: { '--color-background-primary': expect.stringMatching(/^#(fff){1,2}$/) } });
  await clients.evaluate(() => {
    (globalThis as unknown as { port: MessagePort }).port.postMessage({ type: 'title', title: `<b>All</b>\n clients ${'x'.repeat(500)}` });
  });
  const tab = page.getByRole('tab', { name: /^<b>All<\/b> clients x+$/ });
  expect((await tab.getAttribute('title'))?.length).toBe(200);
  await leave(page);
});

test('a hello that is forged gets no answer, and one that is repeated not more than five times a second', async () => {
  const page = await desk.open();
  await openLayout(page, 'forged');
  const clients = await pageIn(page, '/clients');
  const quiet = await pageIn(page, '/quiet');
  await heardIn(clients);
  // A frame of the right origin inside another page is no window; neither is the desk itself.
  await quiet.evaluate((address) => {
    const heard: unknown[] = [];
    Object.assign(globalThis, { forged: heard });
    addEventListener('message', ({ data }) => heard.push(data));
    const inner = document.createElement('iframe');
    inner.srcdoc = `<script>top.postMessage({ deskwire: 1, type: 'hello' }, '*'); addEventListener('message', (e) => parent.postMessage(e.data, '*'))</script>`;
    document.body.append(inner);
    // What looks like a hello and is none.
    for (const odd of [null, 'hello', { type: 'hello' }, { deskwire: 2, type: 'hello' }, { deskwire: 1, type: 'port' }]) parent.postMessage(odd, address);
  }, desk.address);
  // A page that says hello too often is answered as often as the contract says; a port replaces the one before.
  const answered = await clients.evaluate(
    () =>
      new Promise<number>((done) => {
        let ports = 0;
        addEventListener('message', ({ data, ports: [port] }) => {
          if (data?.type === 'port' && port !== undefined) ports += 1;
        });
        for (let count = 0; count < 20; count += 1) parent.postMessage({ deskwire: 1, type: 'hello' }, '*');
        // Behind all of them in the queue of the desk.
        const probe = new MessageChannel();
        probe.port1.onmessage = () => done(ports);
        setTimeout(() => probe.port2.postMessage(0), 500);
      }),
  );
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThanOrEqual(5);
  expect(await quiet.evaluate(() => (globalThis as unknown as { forged: unknown[] }).forged)).toEqual([]);
  await leave(page);
});

test('what cannot be shown says so in its window, and no script of an address runs', async () => {
  const page = await desk.open();
  page.on('dialog', () => {
    throw new Error('a script ran');
  });
  await openLayout(page, 'odd');
  await pageIn(page, '/quiet');
  await page.getByText('There is no application nobody-knows').waitFor();
  await page.locator('.cover', { hasText: /Script (cannot be shown in a window|has stopped)|There is no application/ }).first().waitFor();
  const sources = await page.evaluate(() => Array.from(document.querySelectorAll('iframe'), ({ src }) => src));
  expect(sources).toEqual([`${desk.pages.origin}/quiet`]);
  const sandbox = await page.locator('iframe').getAttribute('sandbox');
  expect(sandbox).not.toContain('top-navigation');
  await leave(page);
});
