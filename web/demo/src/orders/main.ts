// The orders of one client or all, and a ticket to place one.

import { h, show } from '../shared/dom.ts';
import { follow } from '../shared/follow.ts';
import { capital } from '../shared/format.ts';
import { latest, refresh } from '../shared/fresh.ts';
import { open } from '../shared/page.ts';
import { reason } from '../shared/services.ts';
import type { Order } from '../shared/services.ts';
import { FILTERS, blotter } from './blotter.ts';
import type { Filter } from './blotter.ts';
import { prepared } from './draft.ts';
import { ticket } from './ticket.ts';

await open('Orders', async (page) => {
  const { root, io, services } = page;
  let orders: readonly Order[] = [];
  let filter: Filter = 'all';
  let drawn = '';
  const names = new Map<string, string>();
  const said = h('p', { class: 'said', role: 'status' });
  const alert = h('p', { class: 'alert', role: 'alert' });

  const table = blotter({
    nameOf: (id) => names.get(id) ?? id,
    async cancel(order) {
      show(alert);
      await services.cancel(order.id).then(
        ({ id }) => show(said, `${id} is cancelled.`),
        (error: unknown) => show(alert, `${order.id} was not cancelled: ${reason(error)}`),
      );
      await load(following.clientId());
    },
  });
  const draw = (): void => table.draw(orders, filter, following.clientId() !== undefined);
  const load = latest(async (isLatest, id: string | undefined) => {
    try {
      if (names.size === 0) for (const client of (await services.clients()).clients) names.set(client.id, client.name);
      const answer = await services.orders(id);
      if (!isLatest() || JSON.stringify(answer) === drawn) return;
      drawn = JSON.stringify(answer);
      ({ orders } = answer);
      draw();
    } catch (error) {
      if (!isLatest()) return;
      drawn = '';
      table.say(`The orders could not be read: ${reason(error)} `, h('button', { type: 'button', onclick: () => void load(id) }, 'Try again'));
    }
  });
  const filters = h(
    'div',
    { class: 'filters', role: 'group', 'aria-label': 'Which orders' },
    ...FILTERS.map((one) => h('button', { type: 'button', 'aria-pressed': String(one === filter), onclick: () => choose(one) }, capital(one))),
  );
  const choose = (one: Filter): void => {
    filter = one;
    [...filters.children].forEach((button, at) => button.setAttribute('aria-pressed', String(FILTERS[at] === one)));
    draw();
  };
  const form = ticket(services, (order, words) => {
    show(said, `${order.id} works: ${words}`);
    create.focus();
    void load(following.clientId());
  });
  const create = h('button', { type: 'button', class: 'main', onclick: () => void form.open({ clientId: following.clientId() }) }, 'New order');

  const following = await follow(page, {
    none: 'All clients',
    changed: (id) => {
      drawn = '';
      orders = [];
      table.say('Reading the orders…');
      void load(id);
    },
  });
  following.line.append(create);
  show(root, following.line, h('div', { class: 'bar' }, filters), form.element, alert, said, table.element);

  await io.intents.register('NewOrder', async ({ data }) => {
    const fields = prepared(data);
    await form.open({ clientId: following.clientId(), ...fields });
    return { prepared: fields, placed: false };
  });
  refresh(() => load(following.clientId()));
});
