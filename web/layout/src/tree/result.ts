// What comes of something that may be refused.

export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

/** Runs `work`; what it throws as a `Failure` is the result, anything else is a defect and goes on. */
export function attempt<Value, Failure extends Error>(
  failure: abstract new (...args: never[]) => Failure,
  work: () => Value,
): Result<Value, Failure> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof failure) return { ok: false, error };
    throw error;
  }
}
