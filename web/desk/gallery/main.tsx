// The panels in the state that the address names: `?state=why&theme=dark`. Without one, all names.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createStore } from 'zustand';
import { Chrome } from '../src/app/Chrome.tsx';
import { createShell } from '../src/app/shell.ts';
import type { Actions } from '../src/desktop/actions.ts';
import type { DesktopState } from '../src/desktop/model.ts';
import { createThemes } from '../src/theme/theme.ts';
import { DESKTOP, FINDINGS } from './fixtures.ts';
import { NAMES } from './names.ts';
import { STATES } from './states.tsx';
import './gallery.css';

const query = new URLSearchParams(location.search);
const name = NAMES.find((one) => one === query.get('state'));
const state = name && STATES[name];
const found = state?.findings ?? FINDINGS;
const store = createStore<DesktopState>(() => ({ ...DESKTOP, ...state?.desktop }));
const themes = createThemes(window);
const theme = query.get('theme');
if (theme === 'light' || theme === 'dark') themes.choose(theme);

/** For the tests: what was asked of the server. */
const calls: (readonly unknown[])[] = [];

const actions = new Proxy({} as Actions, {
  get:
    (_, name) =>
    (...args: readonly unknown[]) => {
      if (name === 'findings') return found instanceof Error ? Promise.reject(found) : Promise.resolve(found.filter(declared(args[0] as readonly string[])));
      calls.push([name, ...args]);
      if (name === 'dismiss') store.setState(({ notices }) => ({ notices: notices.filter(({ id }) => id !== args[0]) }));
      return Promise.resolve(true);
    },
});

/** With sampling nothing is hidden for want of it. */
function declared(capabilities: readonly string[]): (finding: (typeof FINDINGS)[number]) => boolean {
  return ({ stage, name }) => stage !== 'clientCapability' || name.startsWith('method') || !capabilities.includes('sampling');
}

const root = document.querySelector('#desk');
if (root === null) throw new Error('the page has no place for the gallery');
createRoot(root).render(
  <StrictMode>
    {state === undefined ? (
      <ul>
        {NAMES.map((one) => (
          <li key={one}>
            <a href={`?state=${one}`}>{one}</a>
          </li>
        ))}
      </ul>
    ) : (
      <Chrome store={store} actions={actions} themes={themes} shell={createShell(state.shell)} tabs={<span className="gallery-slot">tabs of the workspaces</span>}>
        {state.content ?? <p className="gallery-slot">the workspace in front</p>}
      </Chrome>
    )}
  </StrictMode>,
);

Object.assign(globalThis, { gallery: { calls, store, themes } });
