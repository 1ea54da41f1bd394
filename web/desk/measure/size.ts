// How large the page is on its way: each file compressed by gzip, as a server sends it.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = join(import.meta.dirname, '../../dist/desk');

const sums = new Map<string, { raw: number; packed: number }>();
for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const bytes = await readFile(join(entry.parentPath, entry.name));
  const kind = entry.name.split('.').at(-1) ?? '';
  for (const name of [kind, 'all']) {
    const sum = sums.get(name) ?? { raw: 0, packed: 0 };
    sums.set(name, { raw: sum.raw + bytes.length, packed: sum.packed + gzipSync(bytes, { level: 9 }).length });
  }
}
for (const [name, { raw, packed }] of sums) {
  console.log(`${name.padEnd(6)} ${(raw / 1000).toFixed(1)} kB   gzip ${(packed / 1000).toFixed(1)} kB`);
}
