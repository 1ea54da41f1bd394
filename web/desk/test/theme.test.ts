// Every token has a value, both themes can be read, and the choice is kept.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createThemes } from '../src/theme/theme.ts';
import { resolve, TOKENS } from '../src/theme/tokens.ts';

const sheet = readFileSync(join(import.meta.dirname, '../src/theme/tokens.css'), 'utf8');
const declared = Array.from(sheet.matchAll(/^ {2}(--[a-z0-9-]+): (.+);$/gm), ([, name = '', value = '']) => [name, value] as const);
const values = new Map(declared);

test('the style sheet and the list name the same tokens, each once', () => {
  expect(declared.map(([name]) => name).toSorted()).toEqual(TOKENS.toSorted());
});

describe('a value under one theme', () => {
  test.each([
    ['6px', '6px', '6px'],
    ['light-dark(#fff, #000)', '#fff', '#000'],
    ['light-dark(#fff,#000)', '#fff', '#000'],
    ['0 1px light-dark(rgb(1 2 3 / 0.1), rgb(0, 0, 0))', '0 1px rgb(1 2 3 / 0.1)', '0 1px rgb(0, 0, 0)'],
    ['light-dark(#fff, #000) light-dark(red, blue)', '#fff red', '#000 blue'],
    ['light-dark(#fff', 'light-dark(#fff', 'light-dark(#fff'],
    ['light-dark(#fff)', 'light-dark(#fff)', 'light-dark(#fff)'],
  ])('%s', (value, light, dark) => {
    expect(resolve(value, 'light')).toBe(light);
    expect(resolve(value, 'dark')).toBe(dark);
  });
});

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

describe.each(['light', 'dark'] as const)('contrast, %s', (theme) => {
  const of = (name: string): string => resolve(values.get(`--color-${name}`) ?? '', theme);
  const grounds = ['background-primary', 'background-secondary', 'background-tertiary'];

  test.each(['primary', 'secondary', 'tertiary', 'info', 'danger', 'success', 'warning'])('text %s', (text) => {
    const own = `background-${text}`;
    const all = text === 'info' || text === 'danger' || text === 'success' || text === 'warning' ? [...grounds, own] : grounds;
    for (const ground of all) expect(contrast(of(`text-${text}`), of(ground)), ground).toBeGreaterThanOrEqual(4.5);
  });

  test('text on the accent, and what says more than one thing at once', () => {
    expect(contrast(of('text-inverse'), of('border-info'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('text-inverse'), of('text-danger'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('text-inverse'), of('background-inverse'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('text-primary'), of('background-info'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('text-secondary'), of('background-info'))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['border-tertiary', 'border-info', 'ring-primary', 'border-danger'])('%s', (line) => {
    for (const ground of grounds) {
      if (line === 'border-tertiary' && ground === 'background-tertiary') continue; // no control stands on it
      expect(contrast(of(line), of(ground)), ground).toBeGreaterThanOrEqual(3);
    }
  });
});

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
