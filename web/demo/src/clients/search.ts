// Which clients fit some words, and where the arrow keys lead. Pure.

import type { Client } from '../shared/services.ts';

/** The clients that hold every word of `text`, in what is shown of them. */
export function matching(clients: readonly Client[], text: string): readonly Client[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return clients.filter((client) => {
    const held = [client.id, client.name, client.segment, client.country, client.relationshipManager].join(' ').toLowerCase();
    return words.every((word) => held.includes(word));
  });
}

const PAGE = 10;

/** The row that a key leads to from row `at` of `count`; nothing where the key is for something else. */
export function step(key: string, at: number, count: number): number | undefined {
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + PAGE, PageUp: at - PAGE };
  const wanted = to[key];
  return wanted === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, wanted));
}
