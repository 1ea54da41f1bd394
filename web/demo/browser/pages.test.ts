// The pages, each in a window of a workspace on a real server: what follows what, and what they offer.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as Starter from '@deskwire/client';
import type Library from '@interopio/desktop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDesk } from './desk.ts';
import type { Desk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(async () => desk?.stop());

test('a page knows who it is and what it was started with', async () => {
  const { frame, instanceId, logged } = await desk.show('portfolio', { started: { clientId: 'C-1002' } });
  await frame.waitForSelector('text=Shown on request: Halden Family Office');
  expect(logged).toEqual([]);
  const instance = desk.io.appManager.instances().find(({ id }) => id === instanceId);
  expect(instance?.application.name).toBe('portfolio');
  expect(await instance?.getContext()).toMatchObject({ clientId: 'C-1002' });
  const mine = desk.io.interop.servers().find((peer) => peer.instance === instanceId);
  expect(mine?.application).toBe('portfolio');
});

test('inside a page, the library says what the desk said', async () => {
  const library = await readFile(createRequire(import.meta.url).resolve('@interopio/desktop/dist/desktop.umd.js'), 'utf8');
  const { frame, instanceId } = await desk.show('portfolio', {
    started: { clientId: 'C-1004', note: { deep: [1, null] } },
    files: {
      '/inside/': '<!doctype html><html lang="en"><title>Inside</title><script src="/deskwire.js"></script><script src="/inside/desktop.js"></script>',
      '/inside/desktop.js': library,
    },
  });
  await frame.waitForFunction(() => 'deskwire' in globalThis && 'IODesktop' in globalThis);
  const inside = await frame.evaluate(async () => {
    const { deskwire, IODesktop } = globalThis as never as { deskwire: typeof Starter; IODesktop: typeof Library };
    const session = await deskwire.start();
    const { gatewayUrl: ws, gatewayToken, application } = session;
    const io = await IODesktop({ application, gateway: { protocolVersion: 3, ws }, auth: { gatewayToken }, appManager: 'full', logger: 'off' });
    const { myInstance } = io.appManager;
    return {
      session: [session.instanceId, session.application, session.startingContext],
      library: [myInstance.id, myInstance.application.name, await myInstance.getContext()],
      peer: [io.interop.instance.instance, io.interop.instance.application],
    };
  });
  expect(inside).toEqual({
    session: [instanceId, 'portfolio', { clientId: 'C-1004', note: { deep: [1, null] } }],
    library: [instanceId, 'portfolio', { clientId: 'C-1004', note: { deep: [1, null] } }],
    peer: [instanceId, 'portfolio'],
  });
});

test('a client that is chosen in the list becomes the client of the workspace', async () => {
  const { page, frame, shared } = await desk.show('clients');
  await frame.waitForSelector('text=This workspace has no client yet');
  await frame.getByRole('combobox', { name: 'Search clients' }).fill('keller');
  await expect.poll(() => frame.getByRole('option').count()).toBe(2);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await frame.waitForSelector('text=Client of this workspace: Kenji Watanabe');
  await expect.poll(() => desk.io.contexts.get(shared)).toMatchObject({ clientId: 'C-1008', clientName: 'Kenji Watanabe' });
});

test('the list marks the client that somebody else chose', async () => {
  const { frame, shared } = await desk.show('clients', { context: { clientId: 'C-1001' } });
  await frame.waitForSelector('[aria-selected=true] >> text=Northwind Pension Fund');
  await desk.io.contexts.update(shared, { clientId: 'C-1004' });
  await frame.waitForSelector('[aria-selected=true] >> text=Brightwater Foundation');
  await frame.waitForSelector('text=Client of this workspace: Brightwater Foundation');
});

test('the portfolio follows the workspace, and shows what it is asked for', async () => {
  const { frame, shared, instanceId } = await desk.show('portfolio', { context: { clientId: 'C-1003' } });
  await frame.waitForSelector('text=Client of this workspace: Asha Raman');
  expect(await frame.getByRole('row').allInnerTexts()).toHaveLength(5);
  await frame.getByRole('img', { name: /^Allocation by sector: government bond/ }).waitFor();

  const answer = await desk.io.interop.invoke('Portfolio.Show', { clientId: 'C-1006' }, { instance: instanceId });
  expect(answer.returned).toEqual({ clientId: 'C-1006', marketValue: 457_131 });
  await frame.waitForSelector('text=Shown on request: Marisol Ortega');

  const raised = await desk.io.intents.raise({
    intent: 'ViewPortfolio',
    target: { instance: instanceId, app: 'portfolio' },
    context: { type: 'Client', data: { clientId: 'C-1005' } },
  });
  expect(raised.result).toEqual({ clientId: 'C-1005', marketValue: 787_280 });
  await frame.waitForSelector('text=Shown on request: Lindqvist & Sons');

  await frame.getByRole('button', { name: 'Follow the workspace' }).click();
  await frame.waitForSelector('text=Client of this workspace: Asha Raman');
  await desk.io.contexts.update(shared, { clientId: 'C-1008' });
  await frame.waitForSelector('text=Client of this workspace: Kenji Watanabe');
});

test('an order that a model places shows, and one of a person is placed after a question', async () => {
  const { frame } = await desk.show('orders', { context: { clientId: 'C-1003' } });
  await frame.waitForSelector('text=No orders yet.');
  await desk.call('Demo.place_order', { clientId: 'C-1003', symbol: 'SHEL', side: 'buy', quantity: 40 });
  await frame.waitForSelector('text=Buy 40 SHEL');

  await frame.getByRole('button', { name: 'New order' }).click();
  await frame.getByLabel('Symbol').fill('nope');
  await frame.getByRole('button', { name: 'Review order' }).click();
  await frame.waitForSelector('text=/no instrument `NOPE`/');
  await frame.getByLabel('Symbol').fill('jnj');
  await frame.getByLabel('Quantity').fill('25');
  await frame.getByLabel('Limit price').fill('168.5');
  await frame.getByRole('button', { name: 'Review order' }).click();
  await frame.waitForSelector('text=Buy 25 JNJ (Johnson & Johnson) for Asha Raman at USD 168.50 or better, about USD 4,213.');
  const before = await desk.call<{ orders: unknown[] }>('Demo.list_orders', { clientId: 'C-1003' });
  expect(before.orders).toHaveLength(1);
  await frame.getByRole('button', { name: 'Place order' }).click();
  await frame.getByRole('rowheader', { name: /Buy 25 JNJ/ }).waitFor();
  const after = await desk.call<{ orders: { id: string }[] }>('Demo.list_orders', { clientId: 'C-1003' });
  expect(after.orders[0]).toMatchObject({ symbol: 'JNJ', side: 'buy', quantity: 25, limitPrice: 168.5, status: 'working' });

  const id = after.orders[0]?.id ?? '';
  await frame.getByRole('button', { name: `Cancel ${id}`, exact: true }).click();
  await frame.getByRole('button', { name: `Yes, cancel ${id}` }).click();
  await frame.waitForSelector(`text=${id} is cancelled.`);
  await frame.getByRole('button', { name: 'Cancelled', exact: true }).click();
  await expect.poll(() => frame.getByRole('rowheader').count()).toBe(1);
});

test('the intent NewOrder fills the ticket and places nothing', async () => {
  const { frame, instanceId } = await desk.show('orders');
  await frame.waitForSelector('text=All clients');
  const count = async (): Promise<number> => (await desk.call<{ orders: unknown[] }>('Demo.list_orders', {})).orders.length;
  const before = await count();
  await frame.getByRole('rowheader').first().waitFor();
  const raised = await desk.io.intents.raise({
    intent: 'NewOrder',
    target: { instance: instanceId, app: 'orders' },
    context: { type: 'Instrument', data: { symbol: 'novo', side: 'sell', quantity: 100 } },
  });
  expect(raised.result).toEqual({ prepared: { symbol: 'NOVO', side: 'sell', quantity: '100' }, placed: false });
  expect(await frame.getByLabel('Symbol').inputValue()).toBe('NOVO');
  expect(await frame.getByLabel('Side').inputValue()).toBe('sell');
  await frame.waitForSelector('text=Novo Nordisk B, DKK 612.40');
  expect(await count()).toBe(before);
});

test('notes are added by a person and by a method, and are there again in another window', async () => {
  const { page, frame, instanceId } = await desk.show('notes', { context: { clientId: 'C-1007' } });
  await frame.waitForSelector('text=No notes about this client yet.');
  await frame.getByLabel('New note').fill('Wants a lower share of energy.');
  await frame.getByRole('button', { name: 'Add note' }).click();
  await frame.waitForSelector('article >> text=Wants a lower share of energy.');
  // Later, so that it is clear which is the newest.
  await page.clock.setFixedTime(new Date('2026-03-02T09:31:00Z'));
  const { returned } = await desk.io.interop.invoke('Notes.Add', { clientId: 'C-1007', text: 'Call back in May.' }, { instance: instanceId });
  expect(returned).toMatchObject({ clientId: 'C-1007' });
  await frame.waitForSelector('article >> text=Call back in May.');
  expect((await frame.locator('article p').allInnerTexts())[0]).toBe('Call back in May.');
  await expect(desk.io.interop.invoke('Notes.Add', { clientId: 'C-9999', text: 'x' }, { instance: instanceId })).rejects.toMatchObject({
    message: expect.stringContaining('there is no client `C-9999`') as string,
  });

  const later = await desk.show('notes', { context: { clientId: 'C-1007' } });
  await expect.poll(() => later.frame.locator('article').count()).toBe(2);
});

test('what the pages offer are tools of a model while they are open', async () => {
  await desk.show('portfolio', { context: { clientId: 'C-1001' } }).then(({ frame }) => frame.waitForSelector('table'));
  await desk.show('notes', { context: { clientId: 'C-1001' } }).then(({ frame }) => frame.waitForSelector('form'));
  const tools = async () => (await (await fetch(desk.server.mcp.replace(/mcp$/, 'api/diagnostics'))).json()) as { name: string; visible: boolean; app?: string }[];
  await expect.poll(tools, { timeout: 30_000 }).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'show_portfolio', visible: true }),
      expect.objectContaining({ name: 'add_note', visible: true }),
    ]),
  );
});

test('a page that is opened by itself says what it needs', async () => {
  const page = await desk.browser.newPage();
  await page.goto(`${desk.pages}/orders/`);
  await page.waitForSelector('text=Orders needs the desk');
  expect(await page.getByRole('link').getAttribute('href')).toBe(`http://localhost:${new URL(desk.pages).port}/`);
  await page.close();
});
