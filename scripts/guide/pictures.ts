// The pictures of docs/images: those that a document shows, and no others.

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export const imageFolder = join(root, 'docs/images');

/** The names of the files of all pictures that README.md and the documents show. */
export function shownPictures(): Set<string> {
  const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
  const texts = documents.map((name) => readFileSync(join(root, name), 'utf8')).join('\n');
  const found = texts.matchAll(/!\[[^\]]*\]\((?:docs|\.\.)\/images\/([^)]+)\)/g);
  return new Set([...found].map(([, name = '']) => basename(name)));
}
