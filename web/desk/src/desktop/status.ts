// `/api/status` as it changes. A server without it is a server of which nothing is said.

import { readStatus } from './read/status.ts';
import type { DeskEvent } from './reduce.ts';

/** What a client that can do everything sees; the status line speaks of that. */
const ADDRESS = '/api/status?as=sampling,elicitation,ui';

/** Gives what ends it. The browser connects again by itself, but not after an answer of 404. */
export function followStatus(source: typeof EventSource, dispatch: (event: DeskEvent) => void): () => void {
  const events = new source(ADDRESS);
  events.onmessage = ({ data }) => {
    const status = readStatus(parsed(data));
    if (status !== undefined) dispatch({ type: 'status', status });
  };
  events.onerror = () => {
    if (events.readyState === source.CLOSED) dispatch({ type: 'status', status: undefined });
  };
  return () => events.close();
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
