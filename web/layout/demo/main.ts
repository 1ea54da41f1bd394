// A workspace of pages that count, for development and for the tests in a browser. The address may
// say `?windows=200`, `?dir=rtl` and `?scheme=dark`.

import '../src/dom/layout.css';
import { amend, apply, arrange, begin, counter, createCanvas, record, read, redo, undo } from '../src/index.ts';
import type { Edit, Subject, Tree } from '../src/index.ts';

const query = new URLSearchParams(location.search);
document.documentElement.dir = query.get('dir') ?? 'ltr';
document.documentElement.style.colorScheme = query.get('scheme') ?? 'light dark';

const APPS = ['Clients', 'Portfolio', 'Orders', 'Notes', 'Prices'];
const ids = counter('w');

function startTree(): Tree {
  const windows = Number(query.get('windows') ?? 0);
  const list = Array.from({ length: windows }, (_, place) => ({ type: 'window', appName: `App ${place + 1}` }));
  const found = read(windows > 0 ? list : START, 'strict', ids);
  if (!found.ok) throw found.error;
  if (windows === 0) return found.value.tree;
  const arranged = arrange(found.value.tree.children, ids);
  if (!arranged.ok) throw arranged.error;
  return arranged.value;
}

const START = {
  children: [
    {
      type: 'row',
      children: [
        { type: 'window', id: 'clients', appName: 'Clients', config: { width: 30 } },
        {
          type: 'column',
          children: [
            {
              type: 'group',
              id: 'main',
              children: [
                { type: 'window', id: 'portfolio', appName: 'Portfolio' },
                { type: 'window', id: 'orders', appName: 'Orders' },
              ],
            },
            { type: 'window', id: 'notes', appName: 'Notes' },
          ],
        },
      ],
    },
  ],
};

/** A page that counts from when it was loaded; one that loads anew begins again. */
function page(title: string): string {
  return `<!doctype html><meta charset="utf-8"><title>${title}</title>
    <style>:root{color-scheme:${query.get('scheme') ?? 'light dark'}}body{font:13px system-ui;margin:12px}</style>
    <p>${title}: <output>0</output></p>
    <script>let n = 0; setInterval(() => { document.querySelector('output').textContent = String(++n); }, 50);</script>`;
}

/** For the tests: what was proposed. */
const edits: Edit[] = [];

let history = begin(startTree());
const root = document.querySelector<HTMLElement>('#canvas');
const apps = document.querySelector<HTMLElement>('#apps');
if (root === null || apps === null) throw new Error('the page has no canvas');

const canvas = createCanvas({
  root,
  tree: history.tree,
  mount(host, window) {
    const frame = document.createElement('iframe');
    frame.title = window.appName ?? '';
    // Many at once are boxes, so that what is measured is the canvas.
    if (query.has('windows')) host.textContent = frame.title;
    else host.append(Object.assign(frame, { srcdoc: page(frame.title) }));
  },
  edit,
});

function edit(change: Edit): void {
  const applied = apply(history.tree, change, ids);
  edits.push(change);
  if (!applied.ok) return;
  const { tree } = applied.value;
  history = change.op === 'select' ? amend(history, tree) : record(history, change.op, tree);
  canvas.render(tree);
}

function subjectOf(target: Element): Subject | undefined {
  const name = target.closest('button')?.textContent ?? undefined;
  if (name === undefined) return undefined;
  return { from: 'outside', item: { type: 'window', id: ids(), appName: name }, name };
}

for (const name of APPS) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = name;
  button.addEventListener('keydown', (event) => {
    const subject = subjectOf(button);
    if (event.key !== 'Enter' || subject === undefined) return;
    event.preventDefault();
    canvas.carry(subject);
  });
  const item = document.createElement('li');
  item.append(button);
  apps.append(item);
}
canvas.source(apps, subjectOf);

for (const [id, go] of [['undo', undo], ['redo', redo]] as const) {
  document.querySelector(`#${id}`)?.addEventListener('click', () => {
    history = go(history);
    canvas.render(history.tree);
  });
}

Object.assign(globalThis, { layout: { edits, canvas, tree: () => history.tree } });
