import { defineConfig } from 'vitest/config';

// The starter as a classic script, and the tests that need no browser.
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2022',
    lib: { entry: 'src/script.ts', name: 'deskwire', formats: ['iife'], fileName: () => 'deskwire.js' },
  },
  test: { include: ['test/**/*.test.ts'], environment: 'happy-dom' },
});
