import { describe, expect, test } from 'vitest';
import { clientIdIn, clientOf, next, strays } from '../src/shared/subject.ts';
import type { Subject, SubjectEvent } from '../src/shared/subject.ts';

const workspace = (clientId?: string): SubjectEvent => ({ type: 'workspace', clientId });
const asked = (clientId: string): SubjectEvent => ({ type: 'asked', clientId });
const follow: SubjectEvent = { type: 'follow' };

describe('whose data a page shows', () => {
  const cases: [name: string, events: SubjectEvent[], client: string | undefined, stray: boolean][] = [
    ['nobody at first', [], undefined, false],
    ['the client of the workspace', [workspace('A')], 'A', false],
    ['the next client of the workspace', [workspace('A'), workspace('B')], 'B', false],
    ['nobody when the workspace has no client any more', [workspace('A'), workspace()], undefined, false],
    ['the one asked for', [asked('B')], 'B', true],
    ['the one asked for rather than that of the workspace', [workspace('A'), asked('B')], 'B', true],
    ['that of the workspace where it is asked for', [workspace('A'), asked('A')], 'A', false],
    ['the one asked for, while other data of the workspace changes', [workspace('A'), asked('B'), workspace('A')], 'B', true],
    ['that of the workspace again when it turns to another', [workspace('A'), asked('B'), workspace('C')], 'C', false],
    ['that of the workspace again when the person wants so', [workspace('A'), asked('B'), follow], 'A', false],
  ];
  test.each(cases)('%s', (_, events, client, stray) => {
    const subject = events.reduce<Subject>(next, {});
    expect(clientOf(subject)).toBe(client);
    expect(strays(subject)).toBe(stray);
  });
});

test.each([
  [{ clientId: 'C-1001' }, 'C-1001'],
  [{ clientId: '' }, undefined],
  [{ clientId: 7 }, undefined],
  [{ clientId: 'x'.repeat(65) }, undefined],
  [{}, undefined],
  [null, undefined],
  [undefined, undefined],
  ['C-1001', undefined],
])('the client id in %j is %s', (data, id) => {
  expect(clientIdIn(data)).toBe(id);
});
