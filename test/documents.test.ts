// Documents use plain words, and name files, links and npm scripts that exist.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { picturesIn } from './architecture/word-rules.ts';

const documents = ['*.md', 'docs/*.md', 'docs/guide/*.md', 'test/**/*.md', '.github/*.md'];
const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts;

// The example "Add a resource" in CONTRIBUTING.md.
const isExample = (path: string): boolean => /\blabels\b/.test(path);

/** The paths that a text contains as code, relative to the root of the checkout. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|scripts|docs|bin|deploy|\.ci)\/[\w./-]*)/g)].map(
    ([, path = '']) => path.replace(/\.$/, ''),
  );

const sources = globSync('{src,test,scripts}/**/*.{ts,tsx,sh}').map((path) => `/${path}`);

/** Source files by the end of their path: `http/serve.ts`, or `serve.ts` in the tree of folders. */
const sourcesIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w*./-])[\w-][\w./-]*\.(?:tsx?|sh)\b/g)].map(([path]) => path);

const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([\w./-]+)(?:#[\w-]*)?\)/g)].map(([, path = '']) => path);

const commandsIn = (text: string): string[] =>
  [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);

describe.each(globSync(documents).filter((path) => path !== 'CHANGELOG.md'))('%s', (document) => {
  const text = readFileSync(document, 'utf8');

  test('names files and folders that exist', () => {
    const missing = pathsIn(text).filter((path) => !isExample(path) && !existsSync(path));
    expect(missing).toEqual([]);
  });

  test('names sources that exist', () => {
    const missing = sourcesIn(text).filter(
      (path) => !isExample(path) && !sources.some((source) => source.endsWith(`/${path}`)),
    );
    expect(missing).toEqual([]);
  });

  test('links to documents that exist', () => {
    const missing = linksIn(text).filter((path) => !existsSync(join(dirname(document), path)));
    expect(missing).toEqual([]);
  });

  test('uses plain words instead of pictures', () => {
    expect(picturesIn(text)).toEqual([]);
  });

  test('names scripts of package.json', () => {
    expect(commandsIn(text).filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('the search finds paths, links and commands', () => {
  const text = 'See `src/no/file.ts`, [it](no/page.md#part) and `npm run nothing`.';
  expect([pathsIn(text), sourcesIn(text), linksIn(text), commandsIn(text)]).toEqual([
    ['src/no/file.ts'],
    ['src/no/file.ts'],
    ['no/page.md'],
    ['nothing'],
  ]);
});
