// The choice of a theme is kept, and what the page looks like is told.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createThemes } from '../src/theme/theme.ts';

describe('the choice', () => {
  const system = { matches: false, listeners: new Set<() => void>() };
  beforeEach(() => {
    system.matches = false;
    localStorage.clear();
    vi.spyOn(window, 'matchMedia').mockReturnValue({
      get matches() {
        return system.matches;
      },
      addEventListener: (_: string, listener: () => void) => system.listeners.add(listener),
    } as unknown as MediaQueryList);
  });

  test('follows the system until the person chooses, and is kept', () => {
    const themes = createThemes(window as never);
    const heard = vi.fn();
    const stop = themes.listen(heard);
    expect(themes.current().theme).toBe('light');
    system.matches = true;
    for (const listener of system.listeners) listener();
    expect(themes.current().theme).toBe('dark');
    expect(document.documentElement.dataset['theme']).toBe('dark');
    themes.choose('light');
    expect(themes.current().theme).toBe('light');
    expect(heard).toHaveBeenCalledTimes(2);
    expect(createThemes(window as never).choice()).toBe('light');
    stop();
    themes.choose('dark');
    expect(heard).toHaveBeenCalledTimes(2);
  });

  test('what was stored by something else counts as none', () => {
    localStorage.setItem('deskwire.theme', 'pink');
    expect(createThemes(window as never).choice()).toBe('system');
  });

  test('the values are those of the page', () => {
    document.documentElement.style.setProperty('--border-radius-md', '6px');
    expect(createThemes(window as never).current().style['--border-radius-md']).toBe('6px');
  });
});
