// The languages of the console. To add one: a file in locales/ and a line in `languages`.

import i18next, { exists, init, t as translate } from 'i18next';
import type { CodeOf } from '#shared/catalogue/catalogue.ts';
import type { Catalogues } from '#shared/catalogue/catalogues.ts';
import type english from '../locales/en.json';
import { timeTagOf } from './time.ts';
import { isSignedIn } from './session-cookie.ts';

type Words = typeof english & {
  [Group in keyof Catalogues]: Record<CodeOf<Catalogues[Group]>, string>;
};

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Words };
    returnNull: false;
  }
}

interface LanguageParts {
  /** The name of the language in the language itself. */
  name: string;
  /** The language tag for `Intl` and screen readers. */
  tag: string;
  /** The words that are needed before sign-in. */
  start: () => Promise<{ default: Record<string, unknown> }>;
  all: () => Promise<{ default: object }>;
}

const parts = <Name extends string>(languages: Record<Name, LanguageParts>) => languages;

export const languages = parts({
  en: {
    name: 'English',
    tag: 'en',
    start: () => import('virtual:start-words/en'),
    all: () => import('virtual:all-words/en'),
  },
  es: {
    name: 'Español',
    tag: 'es',
    start: () => import('virtual:start-words/es'),
    all: () => import('../locales/es.json'),
  },
  ru: {
    name: 'Русский',
    tag: 'ru',
    start: () => import('virtual:start-words/ru'),
    all: () => import('../locales/ru.json'),
  },
  de: {
    name: 'Deutsch',
    tag: 'de',
    start: () => import('virtual:start-words/de'),
    all: () => import('../locales/de.json'),
  },
  zh_hans: {
    name: '简体中文',
    tag: 'zh-Hans',
    start: () => import('virtual:start-words/zh_hans'),
    all: () => import('../locales/zh_hans.json'),
  },
  zh_hant: {
    name: '繁體中文',
    tag: 'zh-Hant',
    start: () => import('virtual:start-words/zh_hant'),
    all: () => import('../locales/zh_hant.json'),
  },
  fr: {
    name: 'Français',
    tag: 'fr',
    start: () => import('virtual:start-words/fr'),
    all: () => import('../locales/fr.json'),
  },
  it: {
    name: 'Italiano',
    tag: 'it',
    start: () => import('virtual:start-words/it'),
    all: () => import('../locales/it.json'),
  },
  pl: {
    name: 'Polski',
    tag: 'pl',
    start: () => import('virtual:start-words/pl'),
    all: () => import('../locales/pl.json'),
  },
  pt: {
    name: 'Português',
    tag: 'pt-PT',
    start: () => import('virtual:start-words/pt'),
    all: () => import('../locales/pt.json'),
  },
  pt_br: {
    name: 'Português do Brasil',
    tag: 'pt-BR',
    start: () => import('virtual:start-words/pt_br'),
    all: () => import('../locales/pt_br.json'),
  },
  nl: {
    name: 'Nederlands',
    tag: 'nl',
    start: () => import('virtual:start-words/nl'),
    all: () => import('../locales/nl.json'),
  },
});
export type Language = keyof typeof languages;
export const languageNames = Object.keys(languages) as Language[];

const storageKey = 'lang';

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** The language that the user chose; empty for the language of the system. */
export function storedLanguage(): Language | '' {
  const value = localStorage.getItem(storageKey) ?? '';
  return isLanguage(value) ? value : '';
}

/**
 * Locale codes from most to least specific: `pt_br`, then `pt`. For Chinese, the script or the
 * region decides.
 */
function codesOf(tag: string): string[] {
  const [own = ''] = tag.toLowerCase().split('-');
  // The first use of `Intl` takes tens of milliseconds.
  if (!languageNames.some((name) => name.startsWith(`${own}_`))) return [own];
  const { language: code, script, region } = new Intl.Locale(tag).maximize();
  return [`${code}_${script ?? ''}`, `${code}_${region ?? ''}`, code].map((one) =>
    one.toLowerCase(),
  );
}

function systemLanguage(): Language {
  const codes = navigator.languages.flatMap(codesOf);
  return codes.find(isLanguage) ?? 'en';
}

export const language: Language = storedLanguage() || systemLanguage();
export const languageTag = languages[language].tag;

let tagOfTimes: string | undefined;

/**
 * The language tag for dates and times. Lazy: the first use of `Intl` takes tens of milliseconds.
 */
export const timeTag = (): string => (tagOfTimes ??= timeTagOf(languageTag, navigator.languages));

let numberFormat: Intl.NumberFormat | undefined;

/** A number as the language of the page writes it. Making the format takes as long as a hundred uses. */
export const numberText = (value: number): string =>
  (numberFormat ??= new Intl.NumberFormat(languageTag)).format(value);

/** Every text on the screen changes, so the page is loaded again. */
export function chooseLanguage(choice: Language | ''): void {
  localStorage.setItem(storageKey, choice);
  location.reload();
}

let hasAll = false;

/** Loads the words of the sign-in page, or all for a signed-in user. */
export async function startLanguage(): Promise<void> {
  const { start, all } = languages[language];
  hasAll = isSignedIn();
  const words = (await (hasAll ? all() : start())).default;
  document.documentElement.lang = languageTag;
  await init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: words } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}

/** Loads all other words, once. */
export async function loadLanguage(): Promise<void> {
  if (hasAll) return;
  const words = (await languages[language].all()).default;
  i18next.addResourceBundle(language, 'translation', words, true, true);
  hasAll = true;
}

/** A cache of texts without values, because a list needs the same ones in each of its rows. */
const texts = new Map<string, string>();

/** The text of a key, with the values in it. A page has one language, so components need no hook. */
export const t = ((key: string, values?: object) => {
  if (values) return translate(key as never, values as never);
  let text = texts.get(key);
  if (text === undefined) {
    text = translate(key as never) as string;
    if (hasAll && i18next.isInitialized) texts.set(key, text);
  }
  return text;
}) as unknown as typeof translate;

/** Whether a code has words: a newer server may send one that this page does not know. */
export const isKnown = <Group extends keyof Catalogues>(
  group: Group,
  code: string,
): code is CodeOf<Catalogues[Group]> => exists(`${group}.${code}`);
