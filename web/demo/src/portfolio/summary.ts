// What a portfolio comes to. Pure.

import type { Portfolio } from '../shared/services.ts';
import { formatPercent } from '../shared/format.ts';

export interface Total {
  readonly marketValue: number;
  readonly gain: number;
  readonly currencies: readonly string[];
}

/** Sums at face value: the demo knows no exchange rates, and says so wherever a sum is shown. */
export function totalOf({ positions }: Portfolio): Total {
  const sum = (pick: 'marketValue' | 'gain'): number =>
    Math.round(100 * positions.reduce((total, position) => total + position[pick], 0)) / 100;
  return {
    marketValue: sum('marketValue'),
    gain: sum('gain'),
    currencies: [...new Set(positions.map(({ currency }) => currency))],
  };
}

/** The chart in words. */
export const allocation = ({ sectors }: Portfolio): string =>
  `Allocation by sector: ${sectors.map(({ sector, weight }) => `${sector} ${formatPercent(weight)}`).join(', ')}`;
