import { defineConfig } from 'vitest/config';

// Tests in a real browser, on a real server with its demo.
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: false,
  },
});
