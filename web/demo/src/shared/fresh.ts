// Keeps what a page shows fresh. The demo's services tell nobody when something changes, so a page asks
// again: now and then while it can be seen, and when a person comes back to it.

const EVERY = 2_000;

export function refresh(ask: () => Promise<void>): void {
  let asking = false;
  const again = async (): Promise<void> => {
    if (asking || document.hidden) return;
    asking = true;
    await ask();
    asking = false;
  };
  setInterval(() => void again(), EVERY);
  addEventListener('focus', () => void again());
  document.addEventListener('visibilitychange', () => void again());
}

/** Answers of requests that have been overtaken by a later one are dropped. */
export function latest<A extends unknown[]>(ask: (isLatest: () => boolean, ...args: A) => Promise<void>): (...args: A) => Promise<void> {
  let turn = 0;
  return (...args) => {
    turn += 1;
    const mine = turn;
    return ask(() => mine === turn, ...args);
  };
}
