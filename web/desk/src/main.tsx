import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import './theme/tokens.css';

const root = document.querySelector('#desk');
if (root === null) throw new Error('the page has no place for the desk');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
