// What was chosen last, kept in this browser.

const KEY = 'deskwire.recent';
const MOST = 20;

/** With `id` at the front. */
export function used(recent: readonly string[], id: string): readonly string[] {
  return [id, ...recent.filter((other) => other !== id)].slice(0, MOST);
}

export function readRecent(storage: Storage): readonly string[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function writeRecent(storage: Storage, recent: readonly string[]): void {
  try {
    storage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // The browser keeps nothing for this page.
  }
}
