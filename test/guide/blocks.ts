// The fenced blocks of the documents, and the calls of the API that their sentences name.

import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface Block {
  /** The name of the document, such as `api.md`. */
  page: string;
  /** The line at which the block begins. */
  line: number;
  /** The word behind the fence; empty: none. */
  language: string;
  text: string;
}

export const languages = ['sh', 'yaml', 'json', 'ini', 'text'];

/** The blocks of a text, also those that are indented as a part of a list. */
export function blocksIn(page: string, text: string): Block[] {
  return [...text.matchAll(/^( *)```(\S*)\n(.*?)^\1```$/gms)].map((found) => {
    const [, indent = '', language = '', content = ''] = found;
    return {
      page,
      line: text.slice(0, found.index).split('\n').length,
      language,
      text: content.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    };
  });
}

const paths = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/guide/*.md').toSorted()];

// The table of contents has the name of the README, and neither blocks nor calls.
const read = paths
  .filter((path) => path !== 'docs/guide/README.md')
  .map((path) => ({ page: basename(path), text: readFileSync(path, 'utf8') }));

/** All blocks of all documents. */
export const blocks = read.flatMap(({ page, text }) => blocksIn(page, text));

/** A call that a sentence names, such as `GET …/tasks/<id>/plan`. */
export interface NamedCall {
  page: string;
  method: string;
  path: string;
}

/** The calls in a text; `…` at the beginning of a path stands for what comes before. */
export function callsIn(page: string, text: string): NamedCall[] {
  const named = text.matchAll(/`(GET|HEAD|POST|PUT|PATCH|DELETE) ((?:\/|…)(?:<[^>]*>|[^\s`?<])*)/g);
  return [...named].map(([, method = '', path = '']) => ({ page, method, path }));
}

export const calls = read.flatMap(({ page, text }) => callsIn(page, text));
