// Every token has a value, and what is read or found by its colour can be told apart from what is behind it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolve, TOKENS } from '../src/tokens.ts';

const sheet = readFileSync(join(import.meta.dirname, '../tokens.css'), 'utf8');
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
