// The allocation by sector, as bars. What it shows is also said in words.

import { h, svg } from '../shared/dom.ts';
import { capital, formatPercent } from '../shared/format.ts';
import type { Portfolio } from '../shared/services.ts';
import { allocation } from './summary.ts';

const ROW = 24;
/** Where the bars begin and how long they may be, in percent of the width; the number stands behind them. */
const FROM = 46;
const LONGEST = 36;

export function chart(portfolio: Portfolio): HTMLElement {
  const { sectors } = portfolio;
  const most = Math.max(...sectors.map(({ weight }) => weight));
  const rows = sectors.flatMap(({ sector, weight }, at) => {
    const length = (LONGEST * weight) / most;
    const y = at * ROW;
    return [
      svg('text', { x: 0, y: y + 16, class: 'sector' }, capital(sector)),
      svg('rect', { x: `${FROM}%`, y: y + 6, width: `${length}%`, height: 12, rx: 2, class: 'share' }),
      svg('text', { x: '100%', y: y + 16, class: 'weight', 'text-anchor': 'end' }, formatPercent(weight)),
    ];
  });
  return h(
    'section',
    { class: 'allocation' },
    h('h2', {}, 'Allocation by sector'),
    svg('svg', { role: 'img', 'aria-label': allocation(portfolio), width: '100%', height: sectors.length * ROW }, ...rows),
  );
}
