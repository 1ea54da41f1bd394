// @vitest-environment happy-dom

import { afterEach, describe, expect, test } from 'vitest';
import { apply, counter, createCanvas, read, windowsOf } from '../src/index.ts';
import type { Canvas, CanvasOptions, Edit, Tree } from '../src/index.ts';
import { treeOf } from './support.ts';
import { vectorFiles } from './vectors.ts';

let canvas: Canvas | undefined;
afterEach(() => {
  canvas?.destroy();
  document.body.replaceChildren();
});

interface Shown {
  readonly root: HTMLElement;
  readonly canvas: Canvas;
  readonly edits: Edit[];
  readonly mounted: string[];
  readonly gone: string[];
}

/** A canvas of 1004 by 604 pixels whose edits are applied at once. */
function show(start: Tree, options: Partial<CanvasOptions> = {}): Shown {
  const root = document.createElement('main');
  document.body.append(root);
  Object.defineProperty(root, 'clientWidth', { value: 1004 });
  Object.defineProperty(root, 'clientHeight', { value: 604 });
  const [edits, mounted, gone]: [Edit[], string[], string[]] = [[], [], []];
  let tree = start;
  const made = createCanvas({
    root,
    tree,
    mount: (host, { id }) => {
      mounted.push(id);
      host.append(document.createElement('p'));
    },
    unmount: (_, id) => gone.push(id),
    edit(edit) {
      edits.push(edit);
      const applied = apply(tree, edit, counter('n'));
      if (!applied.ok) return;
      tree = applied.value.tree;
      made.render(tree);
    },
    ...options,
  });
  canvas = made;
  return { root, canvas: made, edits, mounted, gone };
}

function edits(): [string, Tree, Edit][] {
  return vectorFiles()
    .flatMap(({ vectors }) => vectors)
    .filter(({ operation, error }) => operation !== undefined && operation.op !== 'normalise' && error === undefined)
    .map(({ name, tree, operation }) => {
      const found = read(tree, 'strict', counter('v'));
      if (!found.ok) throw found.error;
      return [name, found.value.tree, operation as Edit];
    });
}

describe('the host of a window is the same element, in the same parent, after', () => {
  test.each(edits())('%s', (_, tree, edit) => {
    const { root, canvas: shown, mounted, gone } = show(tree);
    const layer = root.querySelector('.layout-hosts');
    const before = windowsOf(tree.children).map(({ id }) => [id, shown.host(id)] as const);
    const moves: Node[] = [];
    const observer = new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records) moves.push(...addedNodes, ...removedNodes);
    });
    if (layer !== null) observer.observe(layer, { childList: true });
    const applied = apply(tree, edit, counter('n'));
    if (!applied.ok) throw applied.error;
    shown.render(applied.value.tree);
    const after = new Set(windowsOf(applied.value.tree.children).map(({ id }) => id));
    const touched = new Set([...moves, ...observer.takeRecords().flatMap((one) => [...one.addedNodes, ...one.removedNodes])]);
    for (const [id, host] of before) {
      if (!after.has(id)) {
        expect(shown.host(id)).toBeUndefined();
        continue;
      }
      expect(shown.host(id)).toBe(host);
      expect(host?.parentElement).toBe(layer);
      expect(host !== undefined && touched.has(host)).toBe(false);
    }
    expect(new Set(mounted).size).toBe(mounted.length);
    expect(gone).toEqual(before.map(([id]) => id).filter((id) => !after.has(id)));
    expect(layer?.children.length).toBe(after.size);
    observer.disconnect();
  });
});

describe('a canvas', () => {
  const tree = treeOf({ row: ['a', { group: ['b', 'c'], id: 'g' }], id: 'r' });
  const find = (root: HTMLElement, selector: string): HTMLElement => {
    const found = root.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`${selector} is not there`);
    return found;
  };
  const key = (target: HTMLElement, name: string): boolean =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));

  test('has tabs that name their panels, and panels that name their tabs', () => {
    const { root } = show(tree);
    for (const tab of root.querySelectorAll('[role="tab"]')) {
      const panel = root.querySelector(`#${tab.getAttribute('aria-controls')}`);
      expect(panel?.getAttribute('role')).toBe('tabpanel');
      expect(panel?.getAttribute('aria-labelledby')).toBe(tab.id);
      expect(tab.parentElement?.getAttribute('role')).toBe('tablist');
    }
    expect(root.querySelectorAll('[role="tab"][tabindex="0"]').length).toBe(2);
    expect(root.querySelectorAll('.layout-host.is-behind').length).toBe(1);
  });

  test('is edited by keyboard, and the focus stays with what was moved', () => {
    const { root, edits: made } = show(tree);
    find(root, '[data-tab="a"]').focus();
    for (const name of ['Enter', 'Tab', 'Enter']) key(document.activeElement as HTMLElement, name);
    expect(made).toEqual([{ op: 'move', item: 'a', place: { at: 'stack', target: 'g' } }]);
    expect((document.activeElement as HTMLElement).dataset['tab']).toBe('a');
    expect(find(root, '[role="status"]').textContent).toBe('Dropped A as a tab of B.');
    expect(find(root, '.layout-preview').hidden).toBe(true);
  });

  test('takes no edits while it is locked, and puts back what is carried', () => {
    const { root, canvas: shown, edits: made } = show(tree);
    const tab = find(root, '[data-tab="a"]');
    tab.focus();
    key(tab, 'Enter');
    key(tab, 'Tab');
    expect(find(root, '.layout-preview').hidden).toBe(false);
    shown.lock(true);
    expect(find(root, '.layout-preview').hidden).toBe(true);
    key(tab, 'Enter');
    key(tab, 'Delete');
    expect(made).toEqual([]);
    expect(find(root, '[role="status"]').textContent).toContain('The workspace cannot be changed now.');
    expect(root.querySelector('.layout-splitter')?.getAttribute('aria-disabled')).toBe('true');
    shown.lock(false);
    key(tab, 'Delete');
    expect(made).toEqual([{ op: 'remove', item: 'a' }]);
  });

  test('with an item that fills it lets tabs come to the front and close, and moves nothing', () => {
    const made: Edit[] = [];
    const { root, mounted } = show(tree, { maximized: 'g', edit: (edit) => made.push(edit) });
    expect(find(root, '.layout-host[data-id="a"]').classList.contains('is-behind')).toBe(true);
    expect(root.querySelectorAll('.layout-pane').length).toBe(1);
    find(root, '[data-tab="c"]').click();
    key(find(root, '[data-tab="c"]'), 'Enter');
    expect(find(root, '[role="status"]').textContent).toContain('cannot be changed now');
    key(find(root, '[data-tab="c"]'), 'Delete');
    expect(made).toEqual([{ op: 'select', item: 'c' }, { op: 'remove', item: 'c' }]);
    expect(mounted).toEqual(['a', 'b', 'c']);
  });

  test('has buttons in its strips that are no part of the list of tabs, and whose keys are their own', () => {
    const { root, edits: made } = show(tree, {
      tools: (element, pane) => element.append(Object.assign(document.createElement('button'), { name: pane })),
    });
    const names = Array.from(root.querySelectorAll<HTMLButtonElement>('.layout-tools > button'), ({ name }) => name);
    expect(names).toEqual(['a', 'g']);
    expect(root.querySelectorAll('[role="tablist"] button').length).toBe(0);
    key(find(root, 'button'), 'Delete');
    expect(made).toEqual([]);
  });

  test('that is read only brings tabs to the front and changes nothing else', () => {
    const { root, edits: made } = show(tree, { readOnly: true });
    expect(root.querySelector('.layout-close')).toBeNull();
    find(root, '[data-tab="c"]').click();
    key(find(root, '[data-tab="c"]'), 'Delete');
    key(find(root, '[data-tab="c"]'), 'Enter');
    expect(made).toEqual([{ op: 'select', item: 'c' }]);
  });

  test('shows an area to drop into where nothing is', () => {
    const { root } = show(treeOf({ group: [], id: 'g' }));
    expect(find(root, '.layout-pane').getAttribute('aria-label')).toBe('Empty');
  });

  test('puts text that anybody wrote down as text', () => {
    const evil = '<img src=x onerror=alert(1)> "\' #id [data-x]';
    const { root, canvas: shown } = show(treeOf(evil));
    expect(root.querySelector('img')).toBeNull();
    expect(shown.host(evil)).toBeDefined();
    shown.focus({ on: 'tab', id: evil });
    expect((document.activeElement as HTMLElement).dataset['tab']).toBe(evil);
  });
});
