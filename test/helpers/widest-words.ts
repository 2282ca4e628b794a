// Makes one language of all languages of the console: each text in the language in which it needs
// most room. A screen with room for these texts has room for every language.

import { globSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

export type Words = { [key: string]: string | Words };

/** What needs room: the whole text if it stands in one line, otherwise its longest word. */
type Room = 'text' | 'word';

// Chinese characters are as wide as two letters.
const widthOf = (text: string): number =>
  text.length + (text.match(/[\u2e80-\uffff]/g) ?? []).length;

const wordsOf = (text: string): number[] => text.split(/[\s\u2e80-\uffff]+/).map(widthOf);

const needs: Record<Room, (text: string) => number> = {
  text: widthOf,
  word: (text) => Math.max(...wordsOf(text)),
};

const texts = globSync(new URL('../../src/web/locales/*.json', import.meta.url).pathname).map(
  (file) => JSON.parse(readFileSync(file, 'utf8')) as Words,
);

/** The base language has every plural form that another language has. */
const base = 'ru';

function widest(all: (string | Words)[], room: Room): string | Words {
  const groups = all.filter((one) => typeof one !== 'string');
  if (groups.length === 0) {
    return (all as string[]).reduce((a, b) => (needs[room](b) > needs[room](a) ? b : a));
  }
  const keys = new Set(groups.flatMap((group) => Object.keys(group)));
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      widest(
        groups.flatMap((group) => group[key] ?? []),
        room,
      ),
    ]),
  );
}

export const widestWords = (room: Room): Words => widest(texts, room) as Words;

/** The keys of all texts, which would be shown where a text is missing. */
export function keysOf(words: Words, at = ''): string[] {
  return Object.entries(words).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [`${at}${key}`] : keysOf(inner, `${at}${key}.`),
  );
}

/** Gives a page these words instead of those of a language. */
export async function showWords(page: Page, address: string, words: Words): Promise<void> {
  await page.route(
    (url) => url.href.startsWith(`${address}/assets/${base}-`),
    async (route) => {
      const original = await route.fetch();
      // Other files with this name contain the words for schedules.
      const isOurs = !(await original.text()).includes('cronstrue');
      const body = `export default ${JSON.stringify(words)};`;
      await route.fulfill(isOurs ? { response: original, body } : { response: original });
    },
  );
  // An address of the same origin without the console.
  await page.goto(`${address}/api/`);
  await page.evaluate((language) => localStorage.setItem('lang', language), base);
}

/** All text of a page, including that for screen readers. */
export const readWords = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const told = ['aria-label', 'aria-description', 'placeholder', 'title'].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name)),
    );
    return [document.title, document.body.innerText, ...told].join('\n');
  });
