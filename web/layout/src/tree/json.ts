// Looking into JSON that somebody sent. Only an object's own keys count, whatever they are called.

import type { Json, JsonObject } from './model.ts';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function has(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key);
}

/** The value at a key; null is as good as absent. */
export function given(object: JsonObject, key: string): Json | undefined {
  return has(object, key) ? (object[key] ?? undefined) : undefined;
}

/** All keys but some. Keys such as `__proto__` stay plain keys. */
export function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Whether a value nests at most `levels` deep. Looks no deeper than that. */
export function nestsWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => nestsWithin(inner, levels - 1));
}

/** Equal, whatever the order of keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, place) => sameJson(item, b[place]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => has(b, key) && sameJson(a[key], b[key]));
}
