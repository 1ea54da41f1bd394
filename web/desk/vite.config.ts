import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: {
    fs: { allow: ['..'] },
    // `npx vite desk` shows the page from its sources, on the desktop that runs at the port of `deskwire up`.
    proxy: { '/api': 'http://127.0.0.1:4111', '/gw': { target: 'ws://127.0.0.1:4111', ws: true } },
  },
  build: {
    outDir: '../dist/desk',
    emptyOutDir: true,
    // Nothing inline: the page's policy lets scripts and styles come from its own origin alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Browsers that know `light-dark()`.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
  test: { include: ['test/**/*.test.ts', 'test/**/*.test.tsx'], environment: 'happy-dom', passWithNoTests: true },
});
