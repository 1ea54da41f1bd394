// Runs a measurement: `npm run measure -- opening`, or `windows`, or `size`; all without a name. The first
// two need the server (`DESKWIRE_BIN`) and what `npm run build` makes.

import { runnerImport } from 'vite';

const all = ['opening', 'windows', 'size'];
const named = process.argv.slice(2);
for (const name of named.length > 0 ? named : all) {
  await runnerImport(new URL(`./${name}.ts`, import.meta.url).pathname, { configFile: false });
}
