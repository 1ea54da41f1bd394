// Pages that do not come say so in their windows, and come back by themselves.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { heardIn, layoutOf, openLayout, pageIn, startDesk, windowApp } from './desk.ts';
import type { DeskUnderTest } from './desk.ts';
import { servePages } from './pages.ts';
import type { PageServer } from './pages.ts';

let desk: DeskUnderTest;
let other: PageServer;
beforeAll(async () => {
  other = await servePages();
  desk = await startDesk({
    applications: (pages) => [windowApp('clients', `${other.origin}/clients`), windowApp('framed', `${pages}/framed`)],
    layouts: [layoutOf('review', ['clients'], ['framed'])],
  });
});
afterAll(async () => {
  await desk?.close();
  await other?.stop();
});

test('a page whose server is away says so, and is there when that is back; one that refuses frames says that', async () => {
  const { port } = other;
  await other.stop();
  const page = await desk.open();
  await openLayout(page, 'review');
  const cover = (title: string) => page.locator('.cover', { hasText: title });
  await cover('Clients did not load').waitFor();
  expect(await cover('Clients did not load').innerText()).toMatch(/connection refused/i);
  await cover('Framed does not let itself be shown in a window').waitFor();
  expect(await page.getByRole('link', { name: 'Open in a new tab' }).getAttribute('href')).toBe(`${desk.pages.origin}/framed`);

  other = await servePages(port);
  const clients = await pageIn(page, '/clients');
  expect(await heardIn(clients)).toMatchObject([{ type: 'start', application: 'clients' }]);
  await cover('Clients did not load').waitFor({ state: 'hidden' });
});
