// Applications in windows of the desk, as their makers know them: on the bus by the library of the desktop.

import type { IOConnectDesktop } from '@interopio/desktop';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinBus } from './client.ts';
import { countIn, layoutOf, leave, openLayout, pageIn, startDesk, windowApp } from './desk.ts';
import type { DeskUnderTest } from './desk.ts';

let desk: DeskUnderTest;
let io: IOConnectDesktop.API;
beforeAll(async () => {
  desk = await startDesk({
    applications: (pages) => [
      windowApp('first', `${pages}/app-first`),
      windowApp('second', `${pages}/app-second`, { intents: [{ name: 'Show', contexts: ['Client'] }] }),
      windowApp('quiet', `${pages}/quiet`),
    ],
    layouts: [layoutOf('pair', ['first'], ['second']), layoutOf('one', ['quiet'])],
  });
  io = await joinBus(desk.server, 'starter');
});
afterAll(async () => {
  await io?.done();
  await desk?.close();
});

/** The page of an application, once it is on the bus. */
async function appIn(page: Page, name: string): Promise<Frame> {
  const frame = await pageIn(page, `/app-${name}`);
  await frame.waitForFunction(() => typeof app !== 'undefined');
  await frame.evaluate(async () => void (await app));
  return frame;
}

/** What a page says of itself. */
function whoIs(frame: Frame) {
  return frame.evaluate(async () => {
    const { io, session } = await app;
    const mine = io.appManager.myInstance;
    return {
      instance: mine.id,
      context: await mine.getContext(),
      onBus: io.interop.instance.instance,
      application: io.interop.instance.application,
      startingContext: session.startingContext,
    };
  });
}

test('a program starts an application: its page appears, and knows who it is and what it is about', async () => {
  const page = await desk.open();
  await page.getByRole('heading', { name: 'Nothing is open' }).waitFor();
  const started = await io.appManager.application('first')!.start({ clientId: 'C-7' });
  const first = await appIn(page, 'first');
  expect(await whoIs(first)).toEqual({
    instance: started.id,
    context: expect.objectContaining({ clientId: 'C-7' }),
    onBus: started.id,
    application: 'first',
    startingContext: expect.objectContaining({ clientId: 'C-7' }),
  });
  // What it is about is changed from outside, and seen inside.
  await io.windows.list().find(({ name }) => name === 'first')!.updateContext({ clientId: 'C-8' });
  await expect.poll(() => whoIs(first), { timeout: 30_000 }).toMatchObject({ context: { clientId: 'C-8' } });
  await started.stop();
  await page.waitForFunction(() => document.querySelector('iframe') === null);
  await leave(page);
});

test('an application from the launcher goes into the workspace at hand, and moves nothing that runs there', async () => {
  const page = await desk.open();
  await openLayout(page, 'one');
  const quiet = await pageIn(page, '/quiet');
  const counted = await countIn(quiet);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find' }).fill('second');
  await page.keyboard.press('Enter');
  const second = await appIn(page, 'second');
  const { instance } = await whoIs(second);
  await expect.poll(() => io.appManager.instances().map(({ id }) => id), { timeout: 30_000 }).toContain(instance);
  expect(await page.locator('[data-workspace]').count()).toBe(1);
  expect(await page.locator('.layout-pane').count()).toBe(2);
  expect(quiet.isDetached()).toBe(false);
  expect(await countIn(quiet)).toBeGreaterThan(counted);
  await leave(page);
});

test('pages share the context of their workspace, a channel, methods and intents', async () => {
  const page = await desk.open();
  await openLayout(page, 'pair');
  const [first, second] = [await appIn(page, 'first'), await appIn(page, 'second')];

  await second.evaluate(async () => {
    const { io, session } = await app;
    const heard: unknown[] = [];
    Object.assign(globalThis, { told: heard });
    await io.contexts.subscribe(`___workspace___${session.workspaceId}`, (data: unknown) => heard.push(data));
    io.channels.subscribe((data: unknown, { name }: { name: string }) => heard.push({ [name]: data }));
    await io.interop.register('Double', ({ value }: { value: number }) => ({ value: 2 * value }));
    await io.intents.register('Show', ({ data }) => ({ shown: data?.['id'] as unknown }));
  });
  const told = (what: object) =>
    expect.poll(() => second.evaluate(() => (globalThis as unknown as { told: unknown[] }).told), { timeout: 30_000 }).toContainEqual(expect.objectContaining(what));

  await first.evaluate(async () => {
    const { io, session } = await app;
    await io.contexts.update(`___workspace___${session.workspaceId}`, { clientId: 'C-9' });
  });
  await told({ clientId: 'C-9' });

  // A person puts one on a channel; the other joins by itself.
  await page.getByRole('tab', { name: 'First', exact: true }).click();
  await page.getByRole('button', { name: /channel of First/ }).click();
  await page.getByRole('menuitemradio', { name: 'Red' }).click();
  await second.evaluate(async () => (await app).io.channels.join('Red'));
  await expect.poll(() => first.evaluate(async () => (await app).io.channels.my()), { timeout: 30_000 }).toBe('Red');
  await first.evaluate(async () => (await app).io.channels.publish({ ric: 'ASML.AS' }));
  await told({ Red: expect.objectContaining({ ric: 'ASML.AS' }) });
  await page.getByRole('button', { name: /channel of First: Red/ }).waitFor();

  expect(await first.evaluate(async () => (await (await app).io.interop.invoke('Double', { value: 21 })).returned)).toEqual({ value: 42 });
  const raised = await first.evaluate(async () => {
    const request = { intent: 'Show', target: 'reuse' as const, context: { type: 'Client', data: { id: 'C-1' } } };
    return (await (await app).io.intents.raise(request)).result as unknown;
  });
  expect(raised).toEqual({ shown: 'C-1' });
  await leave(page);
});

test('a token is of no use for another instance, nor after its own has stopped', async () => {
  const page = await desk.open();
  await openLayout(page, 'pair');
  const [first, second] = [await appIn(page, 'first'), await appIn(page, 'second')];
  const [{ instance: own }, { instance: other }] = [await whoIs(first), await whoIs(second)];
  const token = await first.evaluate(async () => (await app).session.gatewayToken);

  // Whoever got hold of it cannot be there beside the one that it belongs to.
  await expect(joinBus(desk.server, 'second', token)).rejects.toMatchObject({ err: { stack: expect.anything() } });

  // A page that says it is another one is who its token says.
  const answer = await first.evaluate(async (claimed) => {
    const { io, session } = await app;
    await io.done();
    const socket = new WebSocket(session.gatewayUrl);
    await new Promise((done) => socket.addEventListener('open', done));
    const identity = { application: 'second', applicationName: 'second', instance: claimed, process: 1 };
    const authentication = { method: 'gateway-token', token: session.gatewayToken };
    const hello = (): Promise<{ type: string; reason?: string; resolved_identity?: { instance?: string; application?: string } }> =>
      new Promise((done) => {
        socket.addEventListener('message', ({ data }) => done(JSON.parse(String(data))), { once: true });
        socket.send(JSON.stringify({ domain: 'global', type: 'hello', request_id: '1', identity, authentication }));
      });
    // The server may hear late that the one before has left.
    for (;;) {
      const said = await hello();
      if (said.type === 'welcome' || !/already/i.test(said.reason ?? '')) return said;
    }
  }, other);
  expect(answer).toMatchObject({ type: 'welcome', resolved_identity: { instance: own, application: 'first' } });
  const named = io.interop.servers().filter((peer) => peer.instance === other);
  expect(named.map((peer) => peer.application)).toEqual(['second']);

  await page.getByRole('tab', { name: 'First', exact: true }).focus();
  await page.keyboard.press('Delete');
  await page.waitForFunction(() => document.querySelectorAll('iframe').length === 1);
  await expect.poll(() => io.appManager.instances().some(({ id }) => id === own), { timeout: 30_000 }).toBe(false);
  await expect(joinBus(desk.server, 'first', token)).rejects.toMatchObject({ err: { stack: expect.anything() } });
  await leave(page);
});
