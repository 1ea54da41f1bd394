import { defineConfig } from 'vitest/config';

// Tests in a real browser, with frames of several origins.
export default defineConfig({
  root: import.meta.dirname,
  test: { include: ['**/*.test.ts'], testTimeout: 120_000, hookTimeout: 60_000, fileParallelism: false },
});
