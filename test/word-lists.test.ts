import { globSync } from 'node:fs';
import { expect, test } from 'vitest';

const shared = new URL('../src/shared/', import.meta.url);

test('no list of words holds a word twice', async () => {
  const files = globSync('**/*.ts', { cwd: shared }).filter((name) => !name.endsWith('.test.ts'));
  const lists: string[] = [];
  const twice: string[] = [];
  for (const file of files) {
    const module = (await import(new URL(file, shared).href)) as Record<string, unknown>;
    for (const [name, list] of Object.entries(module)) {
      if (!Array.isArray(list) || !list.every((word) => typeof word === 'string')) continue;
      lists.push(name);
      const repeated = list.filter((word, place) => list.indexOf(word) !== place);
      twice.push(...repeated.map((word) => `${word} in ${name} of ${file}`));
    }
  }
  expect(lists.length).toBeGreaterThan(20);
  expect(twice).toEqual([]);
});
