// Keyboard shortcuts as text: `mod+shift+s`, where `mod` is the key that the system uses for commands.

export const APPLE = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? '');

const NAMES: Readonly<Record<string, string>> = {
  mod: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  enter: 'Enter',
  escape: 'Esc',
  delete: 'Delete',
  tab: 'Tab',
  arrows: '← ↑ ↓ →',
};
const APPLE_NAMES: Readonly<Record<string, string>> = { ...NAMES, mod: '⌘', shift: '⇧', alt: '⌥' };

/** The keys, as they are printed on the keyboard. */
export function keysOf(keys: string, apple = APPLE): readonly string[] {
  const names = apple ? APPLE_NAMES : NAMES;
  return keys.split('+').map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}

/** The part of a key press that counts. */
export type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** Whether these keys were pressed, and no others. Shift is free where the key itself needs it, as `?` does. */
export function isPressed(keys: string, press: Press, apple = APPLE): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const letter = /^[a-z]$/.test(key);
  const shiftCounts = letter || key.length > 1;
  return (
    press.key.toLowerCase() === key &&
    (apple ? press.metaKey : press.ctrlKey) === parts.includes('mod') &&
    !(apple ? press.ctrlKey : press.metaKey) &&
    press.altKey === parts.includes('alt') &&
    (!shiftCounts || press.shiftKey === parts.includes('shift'))
  );
}
