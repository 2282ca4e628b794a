// The words of the console, as tests and pictures look for them.

import { readFileSync } from 'node:fs';
import type { Words } from './widest-words.ts';

/** The words of the console in a language, so that a new wording breaks no test. */
export type Say = (key: string, params?: Record<string, string | number>) => string;

export function speak(language: string | Words = 'en'): Say {
  const words = typeof language === 'string' ? readLanguage(language) : language;
  return (key, params = {}) => {
    const found = key
      .split('.')
      .reduce<string | Words | undefined>(
        (at, part) => (typeof at === 'object' ? at[part] : undefined),
        words,
      );
    if (typeof found !== 'string') throw new Error(`There is no text "${key}"`);
    return found.replace(/\{\{(\w+)[^}]*\}\}/g, (whole, name: string) =>
      String(params[name] ?? whole),
    );
  };
}

function readLanguage(language: string): Words {
  const file = new URL(`../../src/web/locales/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Words;
}
