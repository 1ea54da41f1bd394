// The positions of a portfolio, largest first.

import { h } from '../shared/dom.ts';
import { formatCount, formatGain, formatPercent, formatPrice, formatValue } from '../shared/format.ts';
import type { Portfolio, Position } from '../shared/services.ts';
import { totalOf } from './summary.ts';

export function table(portfolio: Portfolio): HTMLElement {
  const total = totalOf(portfolio);
  const mixed = total.currencies.length > 1;
  return h(
    'table',
    {},
    h('caption', { class: 'unseen' }, 'Positions, largest first'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'Position'),
        h('th', { scope: 'col', class: 'number wide' }, 'Quantity'),
        h('th', { scope: 'col', class: 'number wide' }, 'Price'),
        h('th', { scope: 'col', class: 'number' }, 'Market value'),
        h('th', { scope: 'col', class: 'number wide' }, 'Gain'),
        h('th', { scope: 'col', class: 'number' }, 'Weight'),
      ),
    ),
    h('tbody', {}, ...portfolio.positions.map(row)),
    h(
      'tfoot',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, mixed ? 'Total at face value' : 'Total', mixed && h('span', { class: 'quiet below' }, `${total.currencies.join(', ')} added as they are`)),
        h('td', { class: 'number wide' }),
        h('td', { class: 'number wide' }),
        h('td', { class: 'number' }, money(total.marketValue, mixed ? undefined : total.currencies[0]), h('span', { class: 'narrow' }, gain(total.gain))),
        h('td', { class: 'number wide' }, gain(total.gain)),
        h('td', { class: 'number' }, formatPercent(100)),
      ),
    ),
  );
}

const row = (position: Position): HTMLElement =>
  h(
    'tr',
    {},
    h('th', { scope: 'row' }, position.symbol, ' ', h('span', { class: 'quiet instrument' }, position.name)),
    h('td', { class: 'number wide' }, formatCount(position.quantity)),
    h('td', { class: 'number wide' }, formatPrice(position.price)),
    h('td', { class: 'number' }, money(position.marketValue, position.currency), h('span', { class: 'narrow' }, gain(position.gain))),
    h('td', { class: 'number wide' }, gain(position.gain)),
    h('td', { class: 'number' }, formatPercent(position.weight)),
  );

const money = (value: number, currency: string | undefined): HTMLElement =>
  h('span', {}, currency !== undefined && h('span', { class: 'quiet currency' }, `${currency} `), formatValue(value));

/** Colour says the state, and so does the sign. */
const gain = (value: number): HTMLElement =>
  h('span', { class: value > 0 ? 'gain' : value < 0 ? 'loss' : 'quiet' }, formatGain(value));
