// The list of clients: typed into from above, walked with the arrow keys, chosen with Enter or a click.

import { h, show } from '../shared/dom.ts';
import { capital } from '../shared/format.ts';
import type { Client } from '../shared/services.ts';
import { matching, step } from './search.ts';

export interface ClientList {
  readonly search: HTMLElement;
  readonly list: HTMLElement;
  setClients(clients: readonly Client[]): void;
  /** Marks the client that the workspace is about. */
  setChosen(clientId: string | undefined): void;
}

export function clientList(choose: (client: Client) => void): ClientList {
  let clients: readonly Client[] = [];
  let shown: readonly Client[] = [];
  let active: string | undefined;
  let chosen: string | undefined;

  const input = h('input', {
    type: 'search',
    role: 'combobox',
    placeholder: 'Name, segment, country or manager',
    'aria-label': 'Search clients',
    'aria-controls': 'clients',
    'aria-expanded': 'true',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => draw(),
    onkeydown: (event) => press(event as KeyboardEvent),
  });
  const list = h('div', { id: 'clients', role: 'listbox', 'aria-label': 'Clients', class: 'scroll clients' });
  const count = h('p', { class: 'unseen', role: 'status' });
  const empty = h('p', { class: 'state' });

  const option = (client: Client): HTMLElement =>
    h(
      'div',
      {
        role: 'option',
        id: `client-${client.id}`,
        class: client.id === active ? 'client active' : 'client',
        'aria-selected': String(client.id === chosen),
        // The search field keeps the focus, so that the arrow keys go on working.
        onmousedown: (event) => event.preventDefault(),
        onclick: () => pick(client),
      },
      h('span', { class: 'name' }, client.name),
      h('span', { class: 'segment' }, capital(client.segment)),
      h('span', { class: 'country' }, client.country),
      h('span', { class: 'manager' }, client.relationshipManager),
    );
  const draw = (): void => {
    shown = matching(clients, input.value);
    if (!shown.some(({ id }) => id === active)) active = (shown.find(({ id }) => id === chosen) ?? shown[0])?.id;
    show(list, ...shown.map(option));
    list.hidden = shown.length === 0;
    show(empty, shown.length === 0 && clients.length > 0 && `No client fits “${input.value}”.`);
    show(count, input.value !== '' && `${shown.length} of ${clients.length} clients`);
    if (active === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `client-${active}`);
  };
  const reveal = (): void => list.querySelector('.active')?.scrollIntoView({ block: 'nearest' });
  const pick = (client: Client): void => {
    active = client.id;
    draw();
    choose(client);
  };
  const press = (event: KeyboardEvent): void => {
    const now = shown.findIndex(({ id }) => id === active);
    const client = shown[now];
    if (event.key === 'Enter' && client !== undefined) pick(client);
    else if (event.key === 'Escape') input.value = '';
    else {
      const at = step(event.key, now, shown.length);
      if (at === undefined) return;
      active = shown[at]?.id;
    }
    event.preventDefault();
    draw();
    reveal();
  };
  return {
    search: h('div', { class: 'bar' }, input, count),
    list: h('div', { class: 'holds' }, list, empty),
    setClients(all) {
      clients = all;
      draw();
    },
    setChosen(clientId) {
      chosen = clientId;
      draw();
    },
  };
}
