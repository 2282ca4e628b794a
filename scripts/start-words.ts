// A Vite plugin that puts the words that each language needs before sign-in into a module of their
// own. A whole language is ten times as large.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const locales = join(import.meta.dirname, '../src/web/locales');
const prefix = 'virtual:start-words/';
const groups = ['common', 'error', 'language', 'sign_in'];
// Errors that the sign-in form shows before it asks the server.
const fields = ['user.username_required', 'user.password_required', 'second_factor.code_required'];

type Words = Record<string, Record<string, unknown>>;

const pick = (words: Record<string, unknown> = {}, keys: string[]) =>
  Object.fromEntries(keys.filter((key) => key in words).map((key) => [key, words[key]]));

export function startWords(): Plugin {
  return {
    name: 'start-words',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    async load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      const path = join(locales, `${id.slice(prefix.length + 1)}.json`);
      this.addWatchFile(path);
      const words = JSON.parse(await readFile(path, 'utf8')) as Words;
      const picked = { ...pick(words, groups), fields: pick(words['fields'], fields) };
      return `export default ${JSON.stringify(picked)};`;
    },
  };
}
