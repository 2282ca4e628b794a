import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { alertErrors, alertErrorText } from '#shared/alerts.ts';
import { eventCodes, eventText } from '#shared/events.ts';
import { deliveryCodes, deliveryText } from '#shared/deliveries.ts';
import { restoreNotes, restoreNoteText } from '#shared/restore-notes.ts';
import { errorCodes, errorText, fieldCodes, fieldText } from '#shared/errors.ts';

type Words = { [key: string]: string | Words };

const folder = import.meta.dirname;
const read = (name: string): Words => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));

/** All texts by their full key; the kinds of a plural (`_one`, `_few` …) count as one key. */
function flat(words: Words, prefix = ''): [key: string, text: string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}/`),
  );
}

// A code of the server may end alike (`field.too_many`): only own texts have plurals.
const plural = /(?<!fields\/.*)_(?:zero|one|two|few|many|other)$/;
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name ?? '').sort();

// What the English catalogues of the server say belongs to English as well.
const english = new Map([
  ...flat(read('en.json')),
  ...errorCodes.map((code) => [`errors/${code}`, errorText(code)] as const),
  ...fieldCodes.map((code) => [`fields/${code}`, fieldText(code)] as const),
  ...alertErrors.map((code) => [`alert_errors/${code}`, alertErrorText(code)] as const),
  ...eventCodes.map((code) => [`events/${code}`, eventText(code)] as const),
  ...restoreNotes.map((code) => [`restore_notes/${code}`, restoreNoteText(code)] as const),
  ...deliveryCodes.map((code) => [`deliveries/${code}`, deliveryText(code)] as const),
]);
const keysOf = (keys: Iterable<string>): string[] =>
  [...new Set([...keys].map((key) => key.replace(plural, '')))].sort();

const others = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'en.json');

test('English leaves the words of errors to the catalogue of the server', () => {
  expect(Object.keys(read('en.json'))).not.toContain('errors');
  expect(Object.keys(read('en.json'))).not.toContain('fields');
});

describe.each(others)('%s', (name) => {
  const words = new Map(flat(read(name)));

  test('has exactly the keys of English, and words for every error and field code', () => {
    expect(keysOf(words.keys())).toEqual(keysOf(english.keys()));
  });

  test('has every kind of plural that the language needs', () => {
    const { pluralCategories } = new Intl.PluralRules(
      name.replace('.json', '').replace('_', '-').replace('zh-han', 'zh-Han'),
    ).resolvedOptions();
    const bases = keysOf([...words.keys()].filter((key) => plural.test(key)));
    const missing = bases.flatMap((base) =>
      pluralCategories.map((kind) => `${base}_${kind}`).filter((key) => !words.has(key)),
    );
    expect(missing).toEqual([]);
  });

  test('has the same placeholders in every text', () => {
    const differing = [...words].filter(([key, text]) => {
      const source = english.get(key) ?? english.get(key.replace(plural, '_other')) ?? '';
      return placeholders(source).join() !== placeholders(text).join();
    });
    expect(differing).toEqual([]);
  });

  test('leaves no sentence in English', () => {
    const letters = /[a-z]{2,}/gi;
    const same = [...words].filter(
      ([key, text]) =>
        text === english.get(key) &&
        !key.endsWith('_example') &&
        (text.match(letters) ?? []).length > 3,
    );
    expect(same).toEqual([]);
  });

  test('leaves no text empty', () => {
    expect([...words].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});
