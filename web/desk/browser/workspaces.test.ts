// Workspaces on two desks at once, and a server that goes and comes back.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinBus } from './client.ts';
import { countIn, heardIn, layoutOf, leave, openLayout, pageIn, startDesk, windowApp } from './desk.ts';
import type { DeskUnderTest } from './desk.ts';

let desk: DeskUnderTest;
beforeAll(async () => {
  desk = await startDesk({
    applications: (pages) => [windowApp('clients', `${pages}/clients`), windowApp('quiet', `${pages}/quiet`)],
    layouts: [layoutOf('review', ['clients'], ['quiet'])],
  });
});
afterAll(async () => {
  await desk?.close();
});

test('two desks agree, and a workspace goes from one to the other', async () => {
  const first = await desk.open();
  await openLayout(first, 'review');
  await pageIn(first, '/clients');
  const second = await desk.open();
  await second.getByRole('heading', { name: 'Nothing is open' }).waitFor();
  await second.getByRole('button', { name: '1 elsewhere' }).click();
  await second.getByRole('menuitem', { name: 'review' }).click();
  await second.getByText('This workspace is on another page.').waitFor();
  expect(await second.locator('iframe').count()).toBe(0);

  // What is done on one is seen on the other.
  await first.getByRole('tab', { name: 'review', exact: true }).focus();
  await first.keyboard.press('F2');
  await first.getByRole('textbox', { name: 'Name of the workspace' }).fill('Review of May');
  await first.keyboard.press('Enter');
  await second.getByRole('heading', { name: 'Review of May' }).waitFor();

  await second.getByRole('button', { name: 'Bring here' }).click();
  const clients = await pageIn(second, '/clients');
  expect(await heardIn(clients)).toMatchObject([{ type: 'start', application: 'clients' }]);
  await first.getByRole('heading', { name: 'Nothing is open' }).waitFor();
  expect(await first.locator('iframe').count()).toBe(0);
  await first.context().close();
  await leave(second);
});

test('a desk that is loaded anew has its workspaces again', async () => {
  const page = await desk.open();
  await openLayout(page, 'review');
  const clients = await pageIn(page, '/clients');
  const [before] = await heardIn(clients);
  await page.reload();
  await page.getByRole('tab', { name: 'review', exact: true }).waitFor();
  const [after] = await heardIn(await pageIn(page, '/clients'));
  expect(after?.['instanceId']).toBe(before?.['instanceId']);
  await leave(page);
});

test('pages live on while the server is away, and are who they were when it is back', async () => {
  const page = await desk.open();
  await openLayout(page, 'review');
  const [clients, quiet] = [await pageIn(page, '/clients'), await pageIn(page, '/quiet')];
  const [first] = await heardIn(clients);
  // Until a page is seen, it is not one that lives on.
  await page.waitForFunction(() => document.querySelector('.cover:not([hidden])') === null);
  const counted = [await countIn(clients), await countIn(quiet)];
  await desk.server.kill();
  await page.getByText('The server is away.').waitFor();
  await desk.server.restart();
  await page.getByText('The server is away.').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'review', exact: true }).waitFor();
  // Both are adopted: nothing has to be said to them, and nothing is asked for anew.
  await page.waitForFunction(() => document.querySelector('.cover:not([hidden])') === null);
  expect(await heardIn(clients)).toEqual([first]);
  const witness = await joinBus(desk.server, 'witness');
  const running = witness.appManager.instances().map(({ id }) => id);
  expect(running).toContain(first?.['instanceId']);
  await witness.done();
  [clients, quiet].forEach((frame) => expect(frame.isDetached()).toBe(false));
  expect(await countIn(clients)).toBeGreaterThan(counted[0] ?? 0);
  expect(await countIn(quiet)).toBeGreaterThan(counted[1] ?? 0);
  await leave(page);
});
