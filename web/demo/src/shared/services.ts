// The demo's data, from its services on the bus: what a model sees and does is what the pages show.

import type { IOConnectDesktop } from '@interopio/desktop';

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly segment: string;
  readonly country: string;
  readonly relationshipManager: string;
}

export interface Position {
  readonly symbol: string;
  readonly name: string;
  readonly currency: string;
  readonly quantity: number;
  readonly price: number;
  readonly marketValue: number;
  readonly gain: number;
  /** In percent, at face value of each currency. */
  readonly weight: number;
}

export interface Portfolio {
  readonly clientId: string;
  readonly positions: readonly Position[];
  readonly sectors: readonly { readonly sector: string; readonly weight: number }[];
}

export interface Quote {
  readonly symbol: string;
  readonly name: string;
  readonly currency: string;
  readonly price: number;
}

export interface Order {
  readonly id: string;
  readonly clientId: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: number;
  readonly limitPrice?: number;
  readonly status: 'working' | 'filled' | 'cancelled';
}

export type NewOrder = Pick<Order, 'clientId' | 'symbol' | 'side' | 'quantity' | 'limitPrice'>;

/** How long a service may be missing, or think, before the person is told, in milliseconds. */
const PATIENCE = 10_000;

export type Services = ReturnType<typeof servicesOn>;

export function servicesOn(io: IOConnectDesktop.API) {
  const ask = async <T>(method: string, args: object = {}): Promise<T> => {
    const options = { waitTimeoutMs: PATIENCE, methodResponseTimeoutMs: PATIENCE };
    const { returned } = await io.interop.invoke<T>(`Demo.${method}`, args, 'best', options);
    return returned;
  };
  return {
    clients: () => ask<{ total: number; clients: Client[] }>('find_clients', { limit: 50 }),
    client: (clientId: string) => ask<Client>('get_client', { clientId }),
    portfolio: (clientId: string) => ask<Portfolio>('get_portfolio', { clientId }),
    quote: (symbol: string) => ask<Quote>('get_quote', { symbol }),
    orders: (clientId?: string) => ask<{ orders: Order[] }>('list_orders', clientId === undefined ? {} : { clientId }),
    place: (order: NewOrder) => ask<Order>('place_order', order),
    cancel: (orderId: string) => ask<Order>('cancel_order', { orderId }),
  };
}

/** What went wrong, in the words of whoever refused. */
export function reason(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  const text = typeof message === 'string' ? message : String(error);
  // The library puts a heading before what the service said.
  return capitalised(text.replace(/^.*?Error: /s, '').slice(0, 400));
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
