// The starter as a classic script: `<script src="…/deskwire.js" data-desk="https://desk.example.com">`
// sets `window.deskwire`. Several origins are separated by a space.

import { start } from './starter.ts';
import type { Options, Session } from './starter.ts';

declare global {
  interface Window {
    /** What the classic script offers. */
    deskwire: { start(options?: Options): Promise<Session> };
  }
}

// Only while the script runs does the document know which one it is.
const desk = document.currentScript?.dataset['desk']?.split(' ');

window.deskwire = { start: (options) => start({ desk, ...options }) };
