// Lists the clients of the firm; the one that is chosen is the client of the workspace.

import { h, show } from '../shared/dom.ts';
import { open } from '../shared/page.ts';
import { reason } from '../shared/services.ts';
import type { Client } from '../shared/services.ts';
import { clientIdIn } from '../shared/subject.ts';
import { clientList } from './list.ts';

await open('Clients', async ({ root, io, services, session, shared }) => {
  let clients: readonly Client[] = [];
  let chosen: string | undefined;
  const line = h('p', { class: 'follows' });
  const alert = h('p', { class: 'alert', role: 'alert' });
  const say = (): void => {
    const name = clients.find(({ id }) => id === chosen)?.name ?? chosen;
    if (shared === undefined) show(line, 'No workspace: what you choose stays in this window');
    else show(line, name === undefined ? 'This workspace has no client yet: choose one' : `Client of this workspace: ${name}`);
  };
  const turn = (clientId: string | undefined): void => {
    chosen = clientId;
    view.setChosen(clientId);
    say();
  };
  const choose = async (client: Client): Promise<void> => {
    turn(client.id);
    show(alert);
    if (shared === undefined) return;
    await io.contexts
      .update(shared, { clientId: client.id, clientName: client.name })
      .catch((error: unknown) => show(alert, `The workspace did not take ${client.name}: ${reason(error)}`));
  };
  const view = clientList((client) => void choose(client));
  const load = async (): Promise<void> => {
    show(alert);
    try {
      const found = await services.clients();
      clients = found.clients;
      view.setClients(clients);
      const short = found.total - clients.length;
      show(state, short > 0 && `${short} more clients are not listed here.`, clients.length === 0 && 'The firm has no clients.');
      say();
    } catch (error) {
      show(state, `The clients could not be read: ${reason(error)} `, h('button', { type: 'button', onclick: () => void load() }, 'Try again'));
    }
  };
  const state = h('p', { class: 'state', role: 'status' }, 'Reading the clients…');

  show(root, h('div', { class: 'bar' }, line), view.search, alert, state, view.list);
  say();
  if (shared !== undefined) await io.contexts.subscribe(shared, (data) => turn(clientIdIn(data)));
  else turn(clientIdIn(session.startingContext));
  await load();
});
