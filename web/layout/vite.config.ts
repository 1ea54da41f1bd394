import { defineConfig } from 'vitest/config';

// The demo page for development, and the tests that need no browser.
export default defineConfig({
  root: import.meta.dirname,
  server: { fs: { allow: ['..'] } },
  test: { include: ['test/**/*.test.ts'] },
});
