// How large the package is in a page: minified, and compressed by gzip.

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const src = join(import.meta.dirname, '../src');

for (const [what, file] of [['all', 'index.ts'], ['without the view', 'headless.ts'], ['style', 'dom/layout.css']] as const) {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'es2023', rolldownOptions: { input: join(src, file), preserveEntrySignatures: 'strict' } },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []));
  const wanted = file.endsWith('.css') ? '.css' : '.js';
  const bytes = outputs
    .filter((one) => one.fileName.endsWith(wanted))
    .map((one) => Buffer.from(one.type === 'chunk' ? one.code : one.source));
  const size = Buffer.concat(bytes);
  console.log(`${what.padEnd(18)} ${(size.length / 1000).toFixed(1)} kB   gzip ${(gzipSync(size, { level: 9 }).length / 1000).toFixed(1)} kB`);
}
