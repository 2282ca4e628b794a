// Only on SQLite: the test reads the sources.

import { readFile } from 'node:fs/promises';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { keptFolders, leftOut } from './data-files.ts';

test('every part of the data folder is in backups, or left out for a reason', async () => {
  const found = new Set<string>();
  for await (const path of glob('src/{runner,server}/**/*.ts')) {
    if (path.endsWith('.test.ts')) continue;
    const text = await readFile(path, 'utf8');
    for (const [, name = ''] of text.matchAll(/dataDir, '([\w.-]+)'/g)) found.add(name);
  }
  expect([...found].toSorted()).toContain('terraform');
  const decided = new Set<string>([...keptFolders, ...Object.keys(leftOut)]);
  expect([...found].filter((name) => !decided.has(name))).toEqual([]);
});
