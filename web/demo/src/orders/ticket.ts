// The ticket: a form, a question whether it is meant, and only then an order.

import { h, show } from '../shared/dom.ts';
import { formatPrice } from '../shared/format.ts';
import { latest } from '../shared/fresh.ts';
import { reason } from '../shared/services.ts';
import type { Client, NewOrder, Order, Quote, Services } from '../shared/services.ts';
import { inWords, judge } from './draft.ts';
import type { Faults, Fields } from './draft.ts';

export interface Ticket {
  readonly element: HTMLElement;
  /** Opens the ticket with these fields; the others stay as they are. Nothing is sent. */
  open(fields?: Partial<Fields>): Promise<void>;
}

const FIELDS = ['clientId', 'side', 'symbol', 'quantity', 'limit'] as const;

export function ticket(services: Services, placed: (order: Order, words: string) => void): Ticket {
  let clients: readonly Client[] = [];
  let quote: Quote | undefined;
  const client = h('select', { id: 'clientId', name: 'clientId', 'aria-describedby': 'clientId-fault' });
  const side = h('select', { id: 'side', name: 'side' }, h('option', { value: 'buy' }, 'Buy'), h('option', { value: 'sell' }, 'Sell'));
  const symbol = h('input', {
    id: 'symbol',
    name: 'symbol',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 64,
    'aria-describedby': 'symbol-fault symbol-quote',
    onchange: () => void ask(),
  });
  const quantity = h('input', { id: 'quantity', name: 'quantity', inputmode: 'decimal', autocomplete: 'off', 'aria-describedby': 'quantity-fault' });
  const limit = h('input', { id: 'limit', name: 'limit', inputmode: 'decimal', autocomplete: 'off', placeholder: 'Market', 'aria-describedby': 'limit-fault' });
  const inputs = { clientId: client, side, symbol, quantity, limit };
  const quoted = h('p', { id: 'symbol-quote', class: 'hint', role: 'status' });
  const faults = { clientId: fault('clientId'), side: fault('side'), symbol: fault('symbol'), quantity: fault('quantity'), limit: fault('limit') };
  const alert = h('p', { class: 'alert', role: 'alert' });
  const confirm = h('div', { class: 'confirm', role: 'group', 'aria-label': 'Confirm the order' });
  const review = h('button', { type: 'submit', class: 'main' }, 'Review order');
  const close = h('button', { type: 'button', onclick: () => hide() }, 'Close');
  const form = h(
    'form',
    { class: 'ticket', hidden: true, novalidate: true, 'aria-labelledby': 'ticket-title', onsubmit: (event) => void submit(event) },
    h('h2', { id: 'ticket-title' }, 'New order'),
    field('Client', client, faults.clientId, 'of-client'),
    field('Side', side, faults.side),
    field('Symbol', symbol, faults.symbol, '', quoted),
    field('Quantity', quantity, faults.quantity),
    field('Limit price', limit, faults.limit),
    h('div', { class: 'actions' }, review, close),
    alert,
    confirm,
  );

  const fields = (): Fields => ({
    clientId: client.value,
    side: side.value,
    symbol: symbol.value.trim().toUpperCase(),
    quantity: quantity.value.trim(),
    limit: limit.value.trim(),
  });
  const mark = (found: Faults): void => {
    for (const name of FIELDS) {
      show(faults[name], found[name]);
      inputs[name].setAttribute('aria-invalid', String(found[name] !== undefined));
    }
    const first = FIELDS.find((name) => found[name] !== undefined);
    if (first !== undefined) inputs[first].focus();
  };
  const ask = latest(async (isLatest) => {
    const wanted = fields().symbol;
    quote = undefined;
    show(quoted);
    show(faults.symbol);
    if (wanted === '') return;
    try {
      const found = await services.quote(wanted);
      if (!isLatest()) return;
      quote = found;
      show(quoted, `${found.name}, ${found.currency} ${formatPrice(found.price)}`);
      symbol.setAttribute('aria-invalid', 'false');
    } catch (error) {
      if (!isLatest()) return;
      show(faults.symbol, reason(error));
      symbol.setAttribute('aria-invalid', 'true');
    }
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    show(alert);
    if (quote?.symbol !== fields().symbol) {
      await ask();
      if (quote === undefined && fields().symbol !== '') return symbol.focus();
    }
    const judged = judge(fields(), quote);
    if ('faults' in judged) return mark(judged.faults);
    mark({});
    if (quote !== undefined) question(judged.order, quote);
  };
  const question = (order: NewOrder, at: Quote): void => {
    const words = inWords(order, clients.find(({ id }) => id === order.clientId)?.name ?? order.clientId, at);
    const yes = h('button', { type: 'button', class: 'main', onclick: () => void place(order, words, yes) }, 'Place order');
    const no = h('button', { type: 'button', onclick: () => settle() }, 'Change it');
    show(confirm, h('p', {}, words), h('div', { class: 'actions' }, yes, no));
    form.classList.add('asking');
    yes.focus();
  };
  const settle = (): void => {
    show(confirm);
    form.classList.remove('asking');
    quantity.focus();
  };
  const place = async (order: NewOrder, words: string, button: HTMLButtonElement): Promise<void> => {
    button.disabled = true;
    try {
      const made = await services.place(order);
      hide();
      placed(made, words);
    } catch (error) {
      settle();
      show(alert, `The order was not placed: ${reason(error)}`);
    }
  };
  const hide = (): void => {
    form.hidden = true;
    form.classList.remove('asking');
    show(confirm);
    show(alert);
    quantity.value = '';
    limit.value = '';
  };
  /** Clients to choose from; `chosen` cannot be chosen before. */
  const fill = async (chosen: string | undefined): Promise<void> => {
    ({ clients } = await services.clients());
    show(client, h('option', { value: '' }, 'Choose…'), ...clients.map(({ id, name }) => h('option', { value: id }, name)));
    client.value = chosen ?? '';
  };
  return {
    element: form,
    async open(given = {}) {
      form.hidden = false;
      settle();
      for (const name of FIELDS) {
        const value = given[name];
        if (value !== undefined) inputs[name].value = value;
      }
      mark({});
      (symbol.value === '' ? symbol : quantity).focus();
      // From here on a person may be at work in the ticket, and nothing of theirs is to be lost.
      const asked = ask();
      try {
        if (clients.length === 0) await fill(given.clientId);
      } catch (error) {
        show(alert, `The clients could not be read: ${reason(error)}`);
      }
      await asked;
    },
  };
}

const fault = (name: string): HTMLElement => h('p', { id: `${name}-fault`, class: 'fault' });

const field = (label: string, input: HTMLElement, wrong: HTMLElement, kind = '', hint?: HTMLElement): HTMLElement =>
  h('div', { class: `field ${kind}` }, h('label', { for: input.id }, label), input, hint, wrong);
