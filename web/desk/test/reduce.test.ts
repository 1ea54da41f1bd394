// News of the platform, and what becomes of the desktop.

import { describe, expect, test } from 'vitest';
import type { DesktopState } from '../src/desktop/model.ts';
import { readApplicationsEvent, readLayoutsEvent } from '../src/desktop/read/catalog.ts';
import { readChannel, readMemberships } from '../src/desktop/read/channels.ts';
import { readFrameEvent } from '../src/desktop/read/frames.ts';
import { readFindings, readStatus } from '../src/desktop/read/status.ts';
import { INITIAL, reduce } from '../src/desktop/reduce.ts';
import type { DeskEvent } from '../src/desktop/reduce.ts';
import { otherWorkspaces, ownWorkspaces, placeForNew, selectedWorkspace, titleOfLayout } from '../src/desktop/select.ts';
import { indexAt } from '../src/workspace/tab-drag.ts';

const window = (id: string, focused = false): [string, object] => [id, { windowId: `w-${id}`, instanceId: `n-${id}`, appName: id, title: id, state: 'ready', focused }];
const workspace = (id: string, more: object = {}): object => ({
  id,
  rev: 1,
  frameId: 'mine',
  position: 0,
  title: `Title of ${id}`,
  name: id,
  hibernated: false,
  selected: true,
  tree: { children: [{ type: 'group', id: 'g', children: [{ type: 'window', id: 'a', appName: 'a' }, { type: 'window', id: 'b', appName: 'b' }] }] },
  windows: Object.fromEntries([window('a'), window('b', true)]),
  ...more,
});

/** The state after all that could be read. */
function after(...events: (DeskEvent | undefined)[]): DesktopState {
  return events.reduce<DesktopState>((state, event) => (event === undefined ? state : reduce(state, event)), INITIAL);
}
const told = (event: unknown): DeskEvent | undefined => readFrameEvent(event);
const snapshot = (...workspaces: unknown[]): DeskEvent | undefined => told({ type: 'snapshot', frames: [{ id: 'mine', attached: true, isFocused: true }], workspaces });

describe('workspaces', () => {
  test('are those of the snapshot, and nothing from before', () => {
    const state = after({ type: 'attached', frameId: 'mine' }, snapshot(workspace('one')), snapshot(workspace('two')));
    expect([...state.workspaces.keys()]).toEqual(['two']);
    expect(state.workspaces.get('two')?.windows.get('b')).toMatchObject({ windowId: 'w-b', state: 'ready', focused: true });
  });

  test('come, change and go', () => {
    const changed = { type: 'workspace', workspace: workspace('one', { rev: 2, title: 'Other' }) };
    const state = after(snapshot(workspace('one')), told(changed));
    expect(state.workspaces.get('one')?.title).toBe('Other');
    expect(after(snapshot(workspace('one')), told({ type: 'workspace-closed', workspaceId: 'one' })).workspaces.size).toBe(0);
  });

  test('do not go back to what was before: an answer may come after newer news', () => {
    const old = told({ type: 'workspace', workspace: workspace('one', { rev: 3, title: 'Old' }) });
    expect(after(snapshot(workspace('one', { rev: 4 })), old).workspaces.get('one')?.rev).toBe(4);
  });

  test('are in the order of their frame; those of others are elsewhere', () => {
    const all = [workspace('b', { position: 1, selected: false }), workspace('a'), workspace('x', { frameId: 'theirs' })];
    const state = after({ type: 'attached', frameId: 'mine' }, snapshot(...all));
    expect(ownWorkspaces(state).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(otherWorkspaces(state).map(({ id }) => id)).toEqual(['x']);
    expect(selectedWorkspace(state)?.id).toBe('a');
  });

  test('get new windows beside the pane that has the focus', () => {
    const read = (more: object) => {
      const found = after(snapshot(workspace('one', more))).workspaces.get('one');
      return found && placeForNew(found);
    };
    expect(read({})).toEqual({ at: 'beside', target: 'g', side: 'right' });
    expect(read({ windows: Object.fromEntries([window('a')]) })).toEqual({ at: 'edge', side: 'right' });
    expect(read({ tree: { children: [] } })).toEqual({ at: 'into' });
  });
});

describe('what cannot be read', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['text', 'snapshot'],
    ['an unknown event', { type: 'explosion' }],
    ['a workspace without an id', { type: 'workspace', workspace: workspace('one', { id: '' }) }],
    ['a workspace without a revision', { type: 'workspace', workspace: workspace('one', { rev: '1' }) }],
    ['a workspace without a tree', { type: 'workspace', workspace: workspace('one', { tree: 7 }) }],
    ['a frame without an id', { type: 'frame', frame: {} }],
  ])('is no news: %s', (_, event) => expect(told(event)).toBeUndefined());

  test('is left out, and does not hide the rest', () => {
    const odd = [null, 7, workspace('two', { windows: { a: { windowId: 'w', state: 'exploded' }, b: window('b')[1], __proto__: window('c')[1] } })];
    const state = after(snapshot(...odd));
    expect([...state.workspaces.keys()]).toEqual(['two']);
    expect([...(state.workspaces.get('two')?.windows.keys() ?? [])]).toEqual(['b']);
  });
});

test('applications and layouts are a list that follows what is told', () => {
  const app = (Name: string, Title = Name): object => ({ Name, Title, Type: 'window', IsReady: true, IsHidden: false });
  const events = [
    readApplicationsEvent({ isSnapshot: true, OnApplicationAdded: [app('b'), {}, app('a')] }),
    readApplicationsEvent({ OnApplicationChanged: [app('b', 'Zed')], OnApplicationRemoved: [{ Name: 'nobody' }] }),
    readLayoutsEvent({ IsSnapshot: true, OnLayoutAdded: [{ name: 'one', type: 'Workspace', metadata: { description: 'First' } }, { name: 'g', type: 'Global' }] }),
    readLayoutsEvent({ OnLayoutRenamed: [{ Type: 'Workspace', OldName: 'one', NewName: 'two' }] }),
  ];
  const state = after(...events);
  expect(state.applications.map(({ name, title }) => [name, title])).toEqual([['a', 'a'], ['b', 'Zed']]);
  expect(state.layouts).toEqual([{ name: 'two', description: 'First', readOnly: false }]);
  expect(after(...events, readLayoutsEvent({ OnLayoutRemoved: [{ type: 'Workspace', name: 'two' }] })).layouts).toEqual([]);
});

test('a layout is called by its title where its name is that in another spelling', () => {
  const layout = (name: string, title: unknown): object => ({ name, type: 'Workspace', components: [{ state: { config: { title } } }] });
  const told = [layout('client-review', 'Client review'), layout('monday', 'Client review'), layout('odd', 7), { name: 'bare', type: 'Workspace', components: 'none' }];
  const { layouts } = after(readLayoutsEvent({ IsSnapshot: true, OnLayoutAdded: told }), readLayoutsEvent({ OnLayoutRenamed: [] }));
  expect(layouts.map(titleOfLayout)).toEqual(['bare', 'Client review', 'monday', 'odd']);
  const renamed = after(
    readLayoutsEvent({ IsSnapshot: true, OnLayoutAdded: told.slice(0, 1) }),
    readLayoutsEvent({ OnLayoutRenamed: [{ Type: 'Workspace', OldName: 'client-review', NewName: 'Tuesday' }] }),
  );
  expect(renamed.layouts.map(titleOfLayout)).toEqual(['Tuesday']);
});

test('since when it is down is when it went', () => {
  const state = after({ type: 'up' }, { type: 'down', reason: 'lost', at: 5 }, { type: 'down', reason: 'still', at: 9 });
  expect(state.connection).toEqual({ state: 'down', reason: 'still', since: 5 });
});

test('a colour is a colour, and nothing more', () => {
  const colour = (color: unknown) => readChannel({ name: 'Red', meta: { color } })?.color;
  for (const fine of ['#d92c2c', '#fff', 'teal']) expect(colour(fine)).toBe(fine);
  for (const odd of ['url(//x)', 'red; top: 0', 7, undefined, 'var(--x)']) expect(colour(odd)).toBe('#808a99');
  expect(readMemberships({ windows: [{ windowId: 'w', channel: 'Red' }, { windowId: 'x', channel: null }, 7] })).toEqual(new Map([['w', 'Red']]));
});

test('status and findings are what they say, or nothing', () => {
  const status = { version: '0.1.0', peers: 7, tools: { visible: 23, withheld: 2 }, leftOut: 1, revision: 'r' };
  expect(readStatus(status)).toEqual(status);
  expect(readStatus({ peers: 1 })).toBeUndefined();
  const finding = { kind: 'tool', name: 't', visible: false, stage: 's', reason: 'r', fix: 'f' };
  expect(readFindings([finding, {}, null])).toEqual([finding]);
});

test('a tab is dropped behind those whose middle is before the pointer', () => {
  const others = [0, 100, 200].map((left) => ({ left, width: 100 }));
  expect([-5, 49, 51, 151, 999].map((x) => indexAt(others, x))).toEqual([0, 0, 1, 2, 3]);
});
