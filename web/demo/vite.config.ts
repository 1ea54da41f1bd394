import { defineConfig } from 'vitest/config';

const PAGES = ['clients', 'portfolio', 'orders', 'notes'];

// One build of four pages, which share the interop library, and the tests that need no browser.
export default defineConfig({
  root: import.meta.dirname,
  server: { fs: { allow: ['..'] } },
  build: {
    outDir: '../dist/demo',
    emptyOutDir: true,
    // Nothing inline: the pages' policy lets scripts and styles come from their own origin alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Browsers that know `light-dark()`.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      input: Object.fromEntries(PAGES.map((page) => [page, `${import.meta.dirname}/${page}/index.html`])),
      // The interop library changes rarely: a chunk of its own stays in the browser's cache.
      output: { codeSplitting: { groups: [{ name: 'interop', test: /node_modules/ }] } },
    },
  },
  test: { include: ['test/**/*.test.ts'] },
});
