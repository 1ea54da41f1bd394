// Waiting for what happens, never for time to pass: every wait ends with the event, or fails by name.

/** How long anything may take before the test says that it will not come. */
export const PATIENCE = 15_000;

/**
 * Settles as `promise` does, or fails naming what was waited for.
 *
 * @template T
 * @param {string} what
 * @param {PromiseLike<T>} promise
 * @param {number} [patience] milliseconds
 * @returns {Promise<T>}
 */
export async function within(what, promise, patience = PATIENCE) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${patience} ms for ${what}`)), patience);
  });
  try {
    return await /** @type {Promise<T>} */ (Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What happened, in order. A test waits for the event it expects and may look back at all of them.
 *
 * @template E
 */
export class Log {
  /** @type {E[]} */
  all = [];
  #read = 0;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /** @param {E} event */
  push(event) {
    this.all.push(event);
    for (const look of [...this.#watchers]) look();
  }

  /**
   * The next event that fits; those before it are passed over for good.
   *
   * @param {string} what
   * @param {(event: E) => unknown} [fits]
   * @param {number} [patience]
   * @returns {Promise<E>}
   */
  async next(what, fits = () => true, patience = PATIENCE) {
    const at = await this.until(
      what,
      (all) => {
        const found = all.findIndex((event, index) => index >= this.#read && fits(event));
        return found < 0 ? undefined : { found };
      },
      patience,
    );
    this.#read = at.found + 1;
    return this.all[at.found];
  }

  /**
   * Waits until a look at all events gives something.
   *
   * @template T
   * @param {string} what
   * @param {(all: E[]) => T | undefined | false} look
   * @param {number} [patience]
   * @returns {Promise<T>}
   */
  async until(what, look, patience = PATIENCE) {
    /** @type {(() => void) | undefined} */
    let watcher;
    /** @type {Promise<T>} */
    const seen = new Promise((resolve, reject) => {
      watcher = () => {
        try {
          const result = look(this.all);
          if (result !== undefined && result !== false) resolve(result);
        } catch (error) {
          reject(error);
        }
      };
      this.#watchers.add(watcher);
      watcher();
    });
    try {
      return await within(what, seen, patience);
    } catch (error) {
      if (error instanceof Error) error.message += `; seen so far: ${tail(this.all)}`;
      throw error;
    } finally {
      if (watcher) this.#watchers.delete(watcher);
    }
  }
}

/** @param {unknown[]} events */
function tail(events) {
  const lines = events.slice(-20).map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  return lines.length === 0 ? 'nothing' : `\n${lines.join('\n').slice(-4_000)}`;
}
