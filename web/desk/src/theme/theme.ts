// Light, dark, or as the system is: chosen by the person, kept in this browser, and handed to the
// pages in the windows.

import { resolve, TOKENS } from '@deskwire/theme';

export type Choice = 'system' | 'light' | 'dark';

/** What a page in a window is told. */
export interface Theme {
  readonly theme: 'light' | 'dark';
  /** Every token with its value under this theme. */
  readonly style: Readonly<Record<string, string>>;
}

export interface Themes {
  choice(): Choice;
  choose(choice: Choice): void;
  /** The same object until something changes. */
  current(): Theme;
  /** Hears of each change of choice, of the system, and of other pages of the desk. Gives what ends it. */
  listen(listener: () => void): () => void;
}

const KEY = 'deskwire.theme';
const CHOICES: readonly string[] = ['system', 'light', 'dark'];

export function createThemes(window: Window & typeof globalThis): Themes {
  const root = window.document.documentElement;
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const listeners = new Set<() => void>();
  let choice = stored(window);
  let current = apply();

  function apply(): Theme {
    const theme = choice === 'system' ? (system.matches ? 'dark' : 'light') : choice;
    root.dataset['theme'] = theme;
    const values = window.getComputedStyle(root);
    const style = TOKENS.map((name) => [name, resolve(values.getPropertyValue(name), theme)] as const);
    return { theme, style: Object.fromEntries(style.filter(([, value]) => value !== '')) };
  }

  function changed(): void {
    current = apply();
    for (const listener of listeners) listener();
  }

  system.addEventListener('change', changed);
  window.addEventListener('storage', (event) => {
    if (event.key !== KEY) return;
    choice = stored(window);
    changed();
  });
  return {
    choice: () => choice,
    choose(next) {
      choice = next;
      try {
        window.localStorage.setItem(KEY, next);
      } catch {
        // The browser keeps nothing for this page: the choice lasts until it is closed.
      }
      changed();
    },
    current: () => current,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function stored(window: Window): Choice {
  try {
    const value = window.localStorage.getItem(KEY);
    return value !== null && CHOICES.includes(value) ? (value as Choice) : 'system';
  } catch {
    return 'system';
  }
}
