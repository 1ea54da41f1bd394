// What stands in the ticket: read from its fields or from an intent, judged, and put into words. Pure.

import { formatCount, formatPrice, formatValue } from '../shared/format.ts';
import type { NewOrder, Quote } from '../shared/services.ts';

/** The fields of the ticket as they stand there. */
export interface Fields {
  readonly clientId: string;
  readonly side: string;
  readonly symbol: string;
  readonly quantity: string;
  /** Empty: at the market. */
  readonly limit: string;
}

export type Faults = Partial<Record<keyof Fields, string>>;

/** Numbers above this are slips of the keyboard. */
const MOST = 1e9;

/** The order, or what is wrong with each field. */
export function judge(fields: Fields, quote: Quote | undefined): { order: NewOrder } | { faults: Faults } {
  const quantity = Number(fields.quantity);
  const limit = Number(fields.limit);
  const faults: Faults = {
    ...(fields.clientId === '' && { clientId: 'Choose a client.' }),
    ...(fields.symbol === '' ? { symbol: 'Enter a symbol, such as NOVO.' } : quote === undefined && { symbol: 'This symbol is not known.' }),
    ...(!inRange(fields.quantity, quantity) && { quantity: `Enter a number above 0, at most ${formatCount(MOST)}.` }),
    ...(fields.limit !== '' && !inRange(fields.limit, limit) && { limit: 'Enter a price above 0, or nothing to trade at the market.' }),
  };
  if (Object.keys(faults).length > 0 || quote === undefined) return { faults };
  return {
    order: {
      clientId: fields.clientId,
      side: fields.side === 'sell' ? 'sell' : 'buy',
      symbol: quote.symbol,
      quantity,
      ...(fields.limit !== '' && { limitPrice: limit }),
    },
  };
}

const inRange = (text: string, value: number): boolean => text.trim() !== '' && value > 0 && value <= MOST;

/** The order in words, for the person who is to confirm it. */
export function inWords(order: NewOrder, client: string, quote: Quote): string {
  const price = order.limitPrice ?? quote.price;
  const how = order.limitPrice === undefined ? 'at the market' : `at ${quote.currency} ${formatPrice(price)} or better`;
  const what = `${order.side === 'buy' ? 'Buy' : 'Sell'} ${formatCount(order.quantity)} ${quote.symbol} (${quote.name})`;
  return `${what} for ${client} ${how}, about ${quote.currency} ${formatValue(order.quantity * price)}.`;
}

/** What the intent `NewOrder` puts into the ticket. What is not understood is left to the person. */
export function prepared(data: unknown): Partial<Fields> {
  const { symbol, side, quantity, limitPrice, clientId } = (data ?? {}) as Record<string, unknown>;
  return {
    ...(isName(symbol) && { symbol: symbol.toUpperCase() }),
    ...((side === 'buy' || side === 'sell') && { side }),
    ...(isAmount(quantity) && { quantity: String(quantity) }),
    ...(isAmount(limitPrice) && { limit: String(limitPrice) }),
    ...(isName(clientId) && { clientId }),
  };
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 64;
const isAmount = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= MOST;
