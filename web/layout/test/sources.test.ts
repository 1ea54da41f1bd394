import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('nothing depends on the drag and drop of HTML, which sandboxed frames do not have', () => {
  const src = join(import.meta.dirname, '../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(30);
  const using = files.filter((file) => /dataTransfer|dragstart|draggable/i.test(readFileSync(join(src, file), 'utf8')));
  expect(using).toEqual([]);
});
