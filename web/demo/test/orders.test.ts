import { describe, expect, test } from 'vitest';
import { inWords, judge, prepared } from '../src/orders/draft.ts';
import type { Fields } from '../src/orders/draft.ts';

const FIELDS: Fields = { clientId: 'C-1001', side: 'buy', symbol: 'NOVO', quantity: '500', limit: '' };
const QUOTE = { symbol: 'NOVO', name: 'Novo Nordisk B', currency: 'DKK', price: 612.4 };

describe('the ticket', () => {
  test('makes an order of good fields', () => {
    expect(judge(FIELDS, QUOTE)).toEqual({ order: { clientId: 'C-1001', side: 'buy', symbol: 'NOVO', quantity: 500 } });
    expect(judge({ ...FIELDS, side: 'sell', limit: '610.5' }, QUOTE)).toEqual({
      order: { clientId: 'C-1001', side: 'sell', symbol: 'NOVO', quantity: 500, limitPrice: 610.5 },
    });
  });

  const faulty: [keyof Fields, string][] = [
    ['clientId', ''],
    ['symbol', ''],
    ['quantity', ''],
    ['quantity', '0'],
    ['quantity', '-5'],
    ['quantity', 'many'],
    ['quantity', '1e12'],
    ['quantity', 'Infinity'],
    ['limit', '0'],
    ['limit', '6,5'],
  ];
  test.each(faulty)('says what is wrong with %s %j, and with nothing else', (field, text) => {
    const judged = judge({ ...FIELDS, [field]: text }, QUOTE);
    expect('faults' in judged && Object.keys(judged.faults)).toEqual([field]);
  });

  test('says that a symbol is not known, and all other faults with it', () => {
    const judged = judge({ ...FIELDS, quantity: '' }, undefined);
    expect('faults' in judged && Object.keys(judged.faults).sort()).toEqual(['quantity', 'symbol']);
  });

  test('says the order in words before it is placed', () => {
    const order = { clientId: 'C-1001', side: 'buy', symbol: 'NOVO', quantity: 500 } as const;
    expect(inWords(order, 'Northwind', QUOTE)).toBe('Buy 500 NOVO (Novo Nordisk B) for Northwind at the market, about DKK 306,200.');
    expect(inWords({ ...order, limitPrice: 600 }, 'Northwind', QUOTE)).toContain('at DKK 600.00 or better, about DKK 300,000.');
    expect(inWords({ ...order, side: 'sell' }, 'Northwind', QUOTE)).toMatch(/^Sell/);
  });
});

test.each([
  [{ symbol: 'novo', side: 'sell', quantity: 3 }, { symbol: 'NOVO', side: 'sell', quantity: '3' }],
  [{ symbol: 'NOVO', limitPrice: 610 }, { symbol: 'NOVO', limit: '610' }],
  [{ symbol: 7, side: 'hold', quantity: -1, limitPrice: '610' }, {}],
  [{ quantity: Number.NaN }, {}],
  [undefined, {}],
  [null, {}],
])('an intent with %j prepares %j', (data, fields) => {
  expect(prepared(data)).toEqual(fields);
});
