// Findings as entries: merged, chosen, grouped, counted, and as text.

import { describe, expect, test } from 'vitest';
import type { Finding } from '../src/desktop/model.ts';
import { asText, clientOf, counts, entriesOf, group, select, stageOf } from '../src/why/entries.ts';

function finding(kind: string, name: string, more: Partial<Finding> = {}): Finding {
  return { kind, name, visible: false, stage: 'guard', reason: 'A guard refused it.', fix: 'Change the guard.', ...more };
}

const FOUND = [
  finding('tool', 'add_note', { app: 'notes', visible: true, stage: 'schema', reason: 'First.', fix: '' }),
  finding('tool', 'add_note', { app: 'notes', visible: true, stage: 'definition', reason: 'Second.', fix: '' }),
  finding('tool', 'add_note', { app: 'other' }),
  finding('tool', 'plain', { visible: true, stage: '', reason: '', fix: '' }),
  finding('intent', 'ViewChart', { stage: 'bus' }),
  finding('layout', 'Trading'),
  finding('workspace', 'Month end'),
  finding('new kind', 'thing'),
];
const entries = entriesOf(FOUND);

test('several remarks about one thing are one entry; the same name of another application is another', () => {
  expect(entries.filter(({ name }) => name === 'add_note').map(({ app, remarks }) => [app, remarks.length])).toEqual([
    ['notes', 2],
    ['other', 1],
  ]);
  expect(entries.find(({ name }) => name === 'plain')?.remarks).toEqual([]);
});

describe('the list', () => {
  test.each([
    ['', false, ['add_note', 'ViewChart', 'Trading', 'Month end', 'thing']],
    ['', true, ['add_note', 'add_note', 'plain', 'ViewChart', 'Trading', 'Month end', 'thing']],
    ['note', false, ['add_note']],
    ['GUARD month', false, ['Month end']],
    ['second', true, ['add_note']],
    ['nowhere', true, []],
  ])('%j, all: %j', (query, all, names) => {
    expect(select(entries, { query, all }).map(({ name }) => name)).toEqual(names);
  });

  test('groups come in their order, and an unknown kind is not lost', () => {
    expect(group(select(entries, { query: '', all: false })).map(({ heading, entries: some }) => [heading, some.length])).toEqual([
      ['Tools', 1],
      ['Workspaces and layouts', 2],
      ['Intents', 1],
      ['Other', 1],
    ]);
  });
});

test('the counts are of things, not of remarks', () => {
  expect(counts(entries)).toEqual({ visible: 2, withheld: 1, hidden: 5 });
});

test('what this version does not have is listed, and is not hidden', () => {
  const later = entriesOf([finding('tool', 'start_workspace', { stage: 'build' })]);
  expect(counts(later)).toEqual({ visible: 0, withheld: 0, hidden: 0 });
  expect(select(later, { query: '', all: false })).toEqual([]);
  expect(select(later, { query: '', all: true })).toEqual(later);
  expect(stageOf('build').label).toBe('not built');
});

test('the text', () => {
  expect(asText(group(select(entries, { query: 'viewchart', all: false })), clientOf([]))).toBe(
    'As a plain client sees it\n\nIntents\n\nViewChart: hidden\n  bus: A guard refused it.\n  Fix: Change the guard.',
  );
});

test.each([
  [[], 'a plain client'],
  [['ui'], 'a client with ui'],
  [['sampling', 'elicitation', 'ui'], 'a client with sampling, elicitation, and ui'],
])('%j is %s', (capabilities, text) => {
  expect(clientOf(capabilities)).toBe(text);
});

test('a stage that is not known is shown as it is', () => {
  expect(stageOf('clientCapability').label).toBe('client');
  expect(stageOf('weather')).toEqual({ label: 'weather', meaning: '' });
});
