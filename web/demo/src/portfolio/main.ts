// Shows what a client holds: the client of the workspace, or one that it is asked for.

import { h, show } from '../shared/dom.ts';
import { follow } from '../shared/follow.ts';
import { latest, refresh } from '../shared/fresh.ts';
import { open } from '../shared/page.ts';
import { reason } from '../shared/services.ts';
import type { Portfolio } from '../shared/services.ts';
import { clientIdIn } from '../shared/subject.ts';
import { clientId, definitionOf } from '../shared/tool.ts';
import { chart } from './chart.ts';
import { totalOf } from './summary.ts';
import { table } from './table.ts';

const SHOW = {
  method: 'Portfolio.Show',
  name: 'show_portfolio',
  title: 'Show a portfolio',
  description: 'Shows the portfolio of a client to the person, in a window that is open. To read it yourself, use get_portfolio.',
  input: { type: 'object', properties: { clientId }, required: ['clientId'], additionalProperties: false },
  output: {
    type: 'object',
    properties: {
      clientId: { type: 'string' },
      marketValue: { type: 'number', description: 'Sum of the market values of all positions, at face value of each currency.' },
    },
    required: ['clientId', 'marketValue'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

await open('Portfolio', async (page) => {
  const { root, io, services } = page;
  const body = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Portfolio' });
  let drawn = '';
  const draw = (portfolio: Portfolio): void => {
    const text = JSON.stringify(portfolio);
    if (text === drawn) return;
    drawn = text;
    if (portfolio.positions.length === 0) show(body, h('p', { class: 'state' }, 'This client holds nothing.'));
    else show(body, table(portfolio), chart(portfolio));
  };
  const load = latest(async (isLatest, id: string | undefined) => {
    if (id === undefined) {
      drawn = '';
      return show(body, h('p', { class: 'state' }, 'No client yet. Choose one in Clients, or ask for a portfolio.'));
    }
    try {
      const portfolio = await services.portfolio(id);
      if (isLatest()) draw(portfolio);
    } catch (error) {
      if (!isLatest()) return;
      drawn = '';
      const again = h('button', { type: 'button', onclick: () => void load(id) }, 'Try again');
      show(body, h('p', { class: 'state', role: 'alert' }, `The portfolio of ${id} could not be read: ${reason(error)} `, again));
    }
  });
  const following = await follow(page, {
    none: 'This workspace has no client yet',
    changed: (id) => {
      drawn = '';
      show(body, h('p', { class: 'state', role: 'status' }, 'Reading the portfolio…'));
      void load(id);
    },
  });
  show(root, following.line, body);

  /** Shows the client that somebody asked for, and says what it comes to. */
  const ask = async (data: unknown): Promise<{ clientId: string; marketValue: number }> => {
    const wanted = clientIdIn(data);
    if (wanted === undefined) throw new Error('clientId is missing; pass the id of a client, such as C-1001');
    const portfolio = await services.portfolio(wanted);
    following.ask(portfolio.clientId);
    return { clientId: portfolio.clientId, marketValue: totalOf(portfolio).marketValue };
  };
  await io.interop.register(definitionOf(SHOW), ask);
  await io.intents.register('ViewPortfolio', ({ data }) => ask(data));
  refresh(() => load(following.clientId()));
});
