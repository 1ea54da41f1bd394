// The blotter: orders, newest first, with a way to cancel those that work.

import { h, show } from '../shared/dom.ts';
import { capital, formatCount, formatPrice } from '../shared/format.ts';
import type { Order } from '../shared/services.ts';

export const FILTERS = ['all', 'working', 'filled', 'cancelled'] as const;
export type Filter = (typeof FILTERS)[number];

export interface BlotterOptions {
  /** Name of a client. */
  readonly nameOf: (clientId: string) => string;
  readonly cancel: (order: Order) => Promise<void>;
}

export interface Blotter {
  readonly element: HTMLElement;
  /** Shows these orders; `ofOne` leaves out whose they are. */
  draw(orders: readonly Order[], filter: Filter, ofOne: boolean): void;
  say(...words: (Node | string)[]): void;
}

export function blotter({ nameOf, cancel }: BlotterOptions): Blotter {
  const element = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Orders' });
  let doubted: string | undefined;
  let again = (): void => undefined;

  const action = (order: Order): HTMLElement | false => {
    if (order.status !== 'working') return false;
    const turn = (id: string | undefined): void => {
      doubted = id;
      again();
    };
    if (doubted !== order.id) {
      return h('button', { type: 'button', 'data-key': order.id, 'aria-label': `Cancel ${order.id}`, onclick: () => turn(order.id) }, 'Cancel');
    }
    const yes = h(
      'button',
      { type: 'button', class: 'yes', 'data-key': order.id, 'aria-label': `Yes, cancel ${order.id}`, onclick: () => void cancel(order).finally(() => turn(undefined)) },
      'Yes, cancel',
    );
    return h('span', { class: 'both' }, yes, h('button', { type: 'button', 'aria-label': `Keep ${order.id}`, onclick: () => turn(undefined) }, 'Keep'));
  };
  const row = (order: Order, ofOne: boolean): HTMLElement => {
    const limit = order.limitPrice === undefined ? 'Market' : formatPrice(order.limitPrice);
    const client = nameOf(order.clientId);
    return h(
      'tr',
      {},
      h('td', { class: 'wide quiet' }, order.id),
      !ofOne && h('td', { class: 'wide' }, client),
      h(
        'th',
        { scope: 'row' },
        `${capital(order.side)} ${formatCount(order.quantity)} ${order.symbol}`,
        h('span', { class: 'narrow quiet' }, order.limitPrice === undefined ? 'at the market' : `at ${limit}`),
        h('span', { class: 'narrow quiet' }, ofOne ? order.id : `${order.id}, ${client}`),
      ),
      h('td', { class: 'number wide' }, limit),
      h('td', { class: `status ${order.status}` }, capital(order.status)),
      h('td', { class: 'act' }, action(order)),
    );
  };
  const draw = (orders: readonly Order[], filter: Filter, ofOne: boolean): void => {
    again = () => draw(orders, filter, ofOne);
    const shown = filter === 'all' ? orders : orders.filter(({ status }) => status === filter);
    if (shown.length === 0) {
      return show(element, h('p', { class: 'state' }, filter === 'all' ? 'No orders yet.' : `No ${filter} orders.`));
    }
    show(
      element,
      h(
        'table',
        {},
        h('caption', { class: 'unseen' }, 'Orders, newest first'),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col', class: 'wide' }, 'Id'),
            !ofOne && h('th', { scope: 'col', class: 'wide' }, 'Client'),
            h('th', { scope: 'col' }, 'Order'),
            h('th', { scope: 'col', class: 'number wide' }, 'Limit'),
            h('th', { scope: 'col' }, 'Status'),
            h('th', { scope: 'col' }, h('span', { class: 'unseen' }, 'Action')),
          ),
        ),
        h('tbody', {}, ...shown.map((order) => row(order, ofOne))),
      ),
    );
  };
  return { element, draw, say: (...words) => show(element, h('p', { class: 'state' }, ...words)) };
}
