// Runs a measurement: `npm run measure -- geometry`, or `frames`, or `size`; all without a name.

import { runnerImport } from 'vite';

const all = ['geometry', 'frames', 'size'];
const named = process.argv.slice(2);
for (const name of named.length > 0 ? named : all) {
  await runnerImport(new URL(`./${name}.ts`, import.meta.url).pathname, { configFile: false });
}
