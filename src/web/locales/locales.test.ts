import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { englishTexts } from '#shared/catalogue/catalogues.ts';

type Words = { [key: string]: string | Words };

const folder = import.meta.dirname;
const read = (name: string): Words => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));

/** All texts by their full key; the kinds of a plural (`_one`, `_few` …) count as one key. */
function flat(words: Words, prefix = ''): [key: string, text: string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}/`),
  );
}

// Codes of the server may end in the same way (`field.too_many`, `token.too_many`): only the
// console's own texts have plurals.
const plural = /(?<!(?:errors|fields)\/.*)_(?:zero|one|two|few|many|other)$/;
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name ?? '').sort();

// The English catalogues of the server are a part of the English words.
const english = new Map([...flat(read('en.json')), ...flat(englishTexts)]);
const keysOf = (keys: Iterable<string>): string[] =>
  [...new Set([...keys].map((key) => key.replace(plural, '')))].sort();

/** A number with a word after it, which most languages inflect by the number. */
const countedWord = /\{\{count[^}]*\}\}\s*\p{L}/u;
// Results of hosts in words that these languages do not inflect.
const uninflected = /^log\/outline\/(?:ok|changed|skipped|rescued|ignored|failed|unreachable)$/;
const withoutInflection = ['en', 'de', 'nl'];

const others = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'en.json');

test('English leaves the words of errors to the catalogue of the server', () => {
  expect(Object.keys(read('en.json'))).not.toContain('errors');
  expect(Object.keys(read('en.json'))).not.toContain('fields');
});

/** Mistakes of English that a pattern finds, and the texts that have to be so. */
const mistakes: [mistake: string, pattern: RegExp, allowed: string[]][] = [
  ['asks politely', /\bplease\b/iu, ['new_task/arguments_refused']],
  ['says that all went well', /\bsuccessfully\b/iu, ['run/advice/outputs']],
  ['has three points for an ellipsis', /\.\.\./u, ['alias/loading']],
  ['has a typographic apostrophe', /[‘’]/u, []],
  ['has two spaces', / {2}/u, []],
  ['names a run of a template by another word', /\blaunch/iu, []],
  ['hyphenates email', /\be-mail/iu, []],
  ['is spelled as in Britain', /colour|behaviour|favour|centre|cancelled|(?:organ|recogn)is/iu, []],
  ['says who is unknown', /\b(?:some|no|every)body\b|\bwhoever\b/iu, []],
];

test.each(mistakes)('no English text %s', (_mistake, pattern, allowed) => {
  const found = [...english].filter(([, text]) => pattern.test(text));
  expect(found.map(([key]) => key)).toEqual(allowed);
});

/** Names that have capitals wherever they stand. */
const names =
  'Ansible|Vault|Terraform|OpenTofu|Signalbox|Git|GitHub|Forgejo|Node|Rocket|Teams|Home|None|Telegram|Monday';
/** The labels that have a capital in each word: the pages, their main buttons and the fields of integrations. */
const titles =
  'Key Store|Task Templates|Task Runner|(?:New|Edit|Add|Leave|Create|Extract|Comparison|Value|Body|Path to) .+';

test('English labels have a capital in their first word only', () => {
  const inside = new RegExp(String.raw`\p{Ll},? (?!(?:${names})\b)\p{Lu}\p{Ll}`, 'u');
  const whole = new RegExp(`^(?:${titles})$`, 'u');
  const isLabel = (text: string) => text.split(' ').length <= 4 && !/[.!?…]/u.test(text);
  const found = [...flat(read('en.json'))].filter(
    ([, text]) => isLabel(text) && inside.test(text) && !whole.test(text),
  );
  expect(found).toEqual([]);
});

/** Words and signs that a language must not have, because its other texts are written otherwise. */
const strangers: Record<string, string> = {
  // People are addressed politely.
  de: 'du|dein|deine[mnrs]?|dir|dich',
  es: 'tú|tus|tienes|puedes|debes',
  fr: "tu|ton|tes|toi|\\p{L}'\\p{L}+",
  // Buttons have the form of commands, sentences address nobody.
  it: "tuo|tua|tuoi|tue|puoi|devi|hai|\\p{L}+'\\p{L}+",
  ru: 'ты|тебя|тебе|твой',
  zh_hans: '你',
  zh_hant: '你',
  // People are addressed as friends, in all texts.
  nl: 'u|uw',
  // Words of the other Portuguese.
  pt: 'você|arquivo|usuário|senha|tela|equipe',
  pt_br: 'ficheiro|utilizador|palavra-passe|ecrã|equipa',
};

test.each(Object.keys(strangers))('%s addresses people and writes in one way', (code) => {
  // Chinese has no spaces between words.
  const alone = code.startsWith('zh') ? '' : '\\p{L}';
  const around = (at: string) => (alone === '' ? '' : `(?${at}${alone})`);
  const words = `${around('<!')}(?:${strangers[code]})${around('!')}`;
  const stranger = new RegExp(words, 'iu');
  expect(flat(read(`${code}.json`)).filter(([, text]) => stranger.test(text))).toEqual([]);
});

// The form `one` of Russian is also that of 21, and the form `one` of French that of 0.
test.each(['en.json', ...others])('%s names the number in every form of a plural', (name) => {
  const words = flat(read(name));
  const silent = words.filter(([key, text]) => plural.test(key) && !text.includes('{{count'));
  expect(silent).toEqual([]);
  const code = name.replace('.json', '');
  const isChinese = code.startsWith('zh');
  const rigid = words.filter(
    ([key, text]) =>
      !isChinese &&
      countedWord.test(text) &&
      !plural.test(key) &&
      !(withoutInflection.includes(code) && uninflected.test(key)),
  );
  expect(rigid).toEqual([]);
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

  test('has exactly the plurals of English', () => {
    const bases = (texts: Map<string, string>) =>
      keysOf([...texts.keys()].filter((key) => plural.test(key)));
    expect(bases(words)).toEqual(bases(english));
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
