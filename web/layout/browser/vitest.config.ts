import { defineConfig } from 'vitest/config';

// Tests in a real browser: they drive the demo page.
export default defineConfig({
  root: import.meta.dirname,
  test: { include: ['**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false },
});
