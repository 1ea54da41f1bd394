// What the rest of the desk knows of the bus. `library.ts` is the only file that knows more.

/** A call that was answered with no. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** What the platform calls it, such as `frame-taken`; `refused` where it said words only. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface CallOptions {
  /** How long to wait for somebody to offer the method, in milliseconds. */
  readonly discoverMs?: number;
  /** How long to wait for the answer, in milliseconds. */
  readonly answerMs?: number;
}

export interface Offer {
  readonly name: string;
  readonly description: string;
}

/** One connection, for as long as it lasts. What comes out of it was written by others. */
export interface Port {
  /** Calls a method. Rejects with a `Refusal`. */
  call(method: string, given: object, options?: CallOptions): Promise<unknown>;
  /** Follows a stream. Rejects with a `Refusal` where the stream does not take us. */
  subscribe(stream: string, given: object, listener: (data: unknown) => void): Promise<void>;
  /** Offers a method to others. */
  register(offer: Offer, answer: (given: unknown) => unknown): Promise<void>;
  /** Names of the contexts there are. */
  contextNames(): readonly string[];
  /** Follows a context; gives what ends that. */
  followContext(name: string, listener: (data: unknown) => void): Promise<() => void>;
  close(): void;
}

/** The two ways in which a call fails, as one: `code: words`, or words. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const said = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  const message = typeof said === 'string' && said !== '' ? said.slice(0, 1000) : 'the call was refused without a reason';
  const [, code, words] = /^([a-z]+(?:-[a-z]+)*): (.+)$/s.exec(message) ?? [];
  return code !== undefined && words !== undefined ? new Refusal(code, words) : new Refusal('refused', message);
}
