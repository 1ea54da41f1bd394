// What is found, in which order, and which letters are marked.

import { describe, expect, test } from 'vitest';
import { match } from '../src/launcher/match.ts';
import { PER_SECTION, rank } from '../src/launcher/rank.ts';
import type { Item, Section } from '../src/launcher/rank.ts';
import { used } from '../src/launcher/recent.ts';

describe('a text and what was typed', () => {
  test.each([
    ['port', 'Portfolio', 0, '[Port]folio'],
    ['order b', 'Order blotter', 0, '[Order b]lotter'],
    ['blot', 'Order blotter', 1, 'Order [blot]ter'],
    ['bl or', 'Order blotter', 1, '[Or]der [bl]otter'],
    ['list', 'clientList', 1, 'client[List]'],
    ['start', 'io_connect_start_workspace', 1, 'io_connect_[start]_workspace'],
    ['uber', 'Übersicht', 0, '[Über]sicht'],
    ['folio', 'Portfolio', 2, 'Port[folio]'],
    ['pfo', 'Portfolio', 2, '[P]ort[fo]lio'],
    ['o', 'Clients of mine', 1, 'Clients [o]f mine'],
    ['e', 'Clients', undefined, 'Clients'],
    ['zz', 'Clients', undefined, 'Clients'],
    ['a a', 'a b', undefined, 'a b'],
    ['  ', 'Clients', undefined, 'Clients'],
  ])('%j in %j', (query, text, tier, marked) => {
    const found = match(query, text);
    expect(found?.tier).toBe(tier);
    expect(show(text, found?.marks ?? [])).toBe(marked);
  });
});

function show(text: string, marks: readonly (readonly [number, number])[]): string {
  return marks.reduceRight((rest, [from, to]) => `${rest.slice(0, from)}[${rest.slice(from, to)}]${rest.slice(to)}`, text);
}

function item(title: string, more: Partial<Item> = {}): Item {
  return { id: title, group: 'applications', title, kind: 'Page', run: () => {}, ...more };
}

function titles(sections: readonly Section[]): readonly string[] {
  return sections.flatMap(({ heading, hits }) => [`# ${heading}`, ...hits.map(({ item: { title } }) => title)]);
}

describe('the order', () => {
  test('beginnings before words before letters; other names between', () => {
    const items = [item('Approval'), item('Big port'), item('Portfolio'), item('Risk', { detail: 'Of a portfolio' }), item('Prior tenant')];
    expect(titles(rank('port', items, []))).toEqual(['# Applications', 'Portfolio', 'Big port', 'Risk', 'Prior tenant']);
  });

  test('what was used last is first among equals', () => {
    const items = [item('Order book'), item('Order blotter'), item('Orders')];
    expect(titles(rank('order', items, ['Order blotter']))).toEqual(['# Applications', 'Order blotter', 'Orders', 'Order book']);
    expect(titles(rank('orders', items, ['Order blotter']))[1]).toBe('Orders');
  });

  test('a group stands where its best item does', () => {
    const items = [item('Trade tool'), item('Add trade'), item('trade', { group: 'tools' })];
    expect(titles(rank('add', items, []))).toEqual(['# Applications', 'Add trade']);
    expect(titles(rank('trade', [item('Add trade'), item('trade', { group: 'tools' })], []))).toEqual([
      '# Tools of the model',
      'trade',
      '# Applications',
      'Add trade',
    ]);
  });

  test('what cannot be chosen is found all the same', () => {
    expect(titles(rank('risk', [item('Risk', { unavailable: 'It is not installed.' })], []))).toEqual(['# Applications', 'Risk']);
  });

  test('nothing typed: what was used, then the groups, without tools', () => {
    const items = [item('Clients'), item('find', { group: 'tools' }), item('Trading', { group: 'workspaces' }), item('Save', { group: 'commands' })];
    expect(titles(rank(' ', items, ['Save', 'gone']))).toEqual(['# Recent', 'Save', '# Workspaces', 'Trading', '# Applications', 'Clients']);
  });

  test('a long group says how much it leaves out', () => {
    const items = Array.from({ length: 40 }, (_, place) => item(`Order ${place}`));
    const [section] = rank('order', items, []);
    expect(section?.hits.length).toBe(PER_SECTION);
    expect(section?.more).toBe(40 - PER_SECTION);
  });

  test('nothing found', () => {
    expect(rank('zzz', [item('Clients')], [])).toEqual([]);
  });
});

test('what is used comes to the front, once', () => {
  expect(used(['a', 'b'], 'b')).toEqual(['b', 'a']);
  expect(used(Array.from({ length: 30 }, String), 'x').length).toBe(20);
});
