// The vectors of the tree: the files of the crate `layout`; its README has their form.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Edit, Json } from '../src/index.ts';

export interface Vector {
  readonly name: string;
  readonly tree?: Json;
  readonly operation?: Edit | { readonly op: 'normalise' };
  readonly result?: Json;
  readonly error?: Json;
  readonly input?: Json;
  readonly policy?: 'strict' | 'lenient';
  readonly diagnostics?: readonly Json[];
  readonly dialect?: string;
  readonly layout?: string;
  readonly windows?: Json;
  readonly definition?: Json;
  readonly saved?: Json;
}

const FOLDER = join(import.meta.dirname, '../../../crates/layout/vectors');

/** All vectors, by file. */
export function vectorFiles(): { file: string; vectors: Vector[] }[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({ file, vectors: JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Vector[] }));
}
