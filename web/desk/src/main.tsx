import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@deskwire/layout/style.css';
import { App } from './app/App.tsx';
import { keepFocus } from './app/keep-focus.ts';
import { createShell } from './app/shell.ts';
import { startDesk } from './app/start.ts';
import { createThemes } from './theme/theme.ts';

const root = document.querySelector('#desk');
if (root === null) throw new Error('the page has no place for the desk');
const themes = createThemes(window);
const desk = startDesk(window, themes);
keepFocus(window);
createRoot(root).render(
  <StrictMode>
    <App desk={desk} themes={themes} shell={createShell()} />
  </StrictMode>,
);
