// A Vite plugin that makes modules of words: those that each language needs before sign-in (a whole
// language is ten times as large), and all of English, of which the texts for codes stand in the
// catalogues of the server. A console in another language loads none of the English ones.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { englishTexts } from '../src/shared/catalogue/catalogues.ts';

const locales = join(import.meta.dirname, '../src/web/locales');
const startPrefix = 'virtual:start-words/';
const allEnglish = 'virtual:all-words/en';
const groups = ['common', 'error', 'language', 'sign_in'];
// Errors that the sign-in form shows before it sends a request.
const fields = ['user.username_required', 'user.password_required', 'second_factor.code_required'];

type Words = Record<string, Record<string, unknown>>;

const pick = (words: Record<string, unknown> = {}, keys: string[]) =>
  Object.fromEntries(keys.filter((key) => key in words).map((key) => [key, words[key]]));

const startOf = (words: Words): Words => ({
  ...(pick(words, groups) as Words),
  fields: pick(words['fields'], fields),
});

export function wordModules(): Plugin {
  return {
    name: 'words',
    resolveId: (id) => (id === allEnglish || id.startsWith(startPrefix) ? `\0${id}` : null),
    async load(id) {
      const name = id.slice(1);
      const isStart = name.startsWith(startPrefix);
      if (!id.startsWith('\0') || !(isStart || name === allEnglish)) return null;
      const language = isStart ? name.slice(startPrefix.length) : 'en';
      const path = join(locales, `${language}.json`);
      this.addWatchFile(path);
      const own = JSON.parse(await readFile(path, 'utf8')) as Words;
      const all = language === 'en' ? { ...own, ...englishTexts } : own;
      return `export default ${JSON.stringify(isStart ? startOf(all) : all)};`;
    },
  };
}
