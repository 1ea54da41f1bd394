// What the status line says, as text.

import type { Connection, DesktopState, Status } from '../desktop/model.ts';
import { clock } from '../ui/time.ts';

export function connectionText(connection: Connection): string {
  switch (connection.state) {
    case 'connecting':
      return 'connecting to the bus…';
    case 'up':
      return 'bus';
    case 'down':
      return `bus down since ${clock(connection.since)}: ${connection.reason}`;
  }
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`;
}

/** How many things are not there for the model. */
export function hidden(status: Status): number {
  return status.tools.withheld + status.leftOut;
}

export function hiddenDetail({ tools, leftOut }: Status): string {
  return `${count(tools.withheld, 'tool')} withheld, ${leftOut.toLocaleString()} left out of search`;
}

type Told = Pick<DesktopState, 'connection' | 'savedAt'>;

/**
 * What is worth hearing when `before` became `now`: that the bus went and came back, and that
 * something was saved. Counts change all the time, and are read when asked for.
 */
export function announcement(before: Told, now: Told): string | undefined {
  if (before.connection.state !== now.connection.state) {
    if (now.connection.state === 'down') return `The bus is down: ${now.connection.reason}`;
    if (now.connection.state === 'up' && before.connection.state === 'down') return 'The bus is back.';
    return undefined;
  }
  return now.savedAt !== undefined && now.savedAt !== before.savedAt ? `Saved at ${clock(now.savedAt)}.` : undefined;
}
