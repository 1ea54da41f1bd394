// Taking apart what others wrote: what is not as it should be is as if it were not there.

export type Fields = Readonly<Record<string, unknown>>;

/** How long a text may be that is shown, in characters; the rest is cut. */
export const MAX_TEXT = 2_000;
/** How long a name or an id may be; one that is longer is none. */
export const MAX_NAME = 256;

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** A name or an id. */
export function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME ? value : undefined;
}

/** Text to show. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, MAX_TEXT) : undefined;
}

export function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The elements of a list that could be read; of one that is too long, the first. */
export function readAll<T>(value: unknown, most: number, read: (element: unknown) => T | undefined): T[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, most).flatMap((element) => {
    const found = read(element);
    return found === undefined ? [] : [found];
  });
}

/** A key that is only there if it has a value. */
export function maybe<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
