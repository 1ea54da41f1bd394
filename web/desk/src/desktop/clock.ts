// Time, as an argument.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  pause(ms: number): Promise<void>;
  /** Calls back later; gives what calls that off. */
  later(ms: number, work: () => void): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  later(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
