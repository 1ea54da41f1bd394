import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// `npx vite desk/gallery` shows every panel in every state, without a server.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { fs: { allow: ['../..'] } },
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, cssTarget: ['chrome123', 'firefox120', 'safari17.5'] },
});
