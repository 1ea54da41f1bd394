import { expect, test } from 'vitest';
import { allocation, totalOf } from '../src/portfolio/summary.ts';

const position = (symbol: string, currency: string, marketValue: number, gain: number) => ({ symbol, name: symbol, currency, quantity: 1, price: marketValue, marketValue, gain, weight: 50 });
const PORTFOLIO = {
  clientId: 'C-1001',
  positions: [position('A', 'USD', 100.1, 10.2), position('B', 'NOK', 100.2, -20.4)],
  sectors: [{ sector: 'energy', weight: 50.02 }, { sector: 'technology', weight: 49.98 }],
};

test('a portfolio is summed at face value, and says of how many currencies', () => {
  expect(totalOf(PORTFOLIO)).toEqual({ marketValue: 200.3, gain: -10.2, currencies: ['USD', 'NOK'] });
});

test('the chart is said in words', () => {
  expect(allocation(PORTFOLIO)).toBe('Allocation by sector: energy 50.0 %, technology 50.0 %');
});
