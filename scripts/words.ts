// A Vite plugin that makes modules of words: those that each language needs before sign-in (a whole
// language is ten times as large), and all of English, of which the texts for codes stand in the
// catalogues of the server. A console in another language loads none of the English ones.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { alertErrors, alertErrorText } from '../src/shared/alerts.ts';
import { deliveryCodes, deliveryText } from '../src/shared/deliveries.ts';
import { errorCodes, errorText, fieldCodes, fieldText } from '../src/shared/errors.ts';
import { eventCodes, eventText } from '../src/shared/events.ts';
import { restoreNotes, restoreNoteText } from '../src/shared/restore-notes.ts';
import { confirmationCodes, confirmationText } from '../src/shared/words/confirmation-reasons.ts';
import { failureCodes, failureText } from '../src/shared/words/task-failures.ts';

const locales = join(import.meta.dirname, '../src/web/locales');
const startPrefix = 'virtual:start-words/';
const allEnglish = 'virtual:all-words/en';
const groups = ['common', 'error', 'language', 'sign_in'];
// Errors that the sign-in form shows before it asks the server.
const fields = ['user.username_required', 'user.password_required', 'second_factor.code_required'];

type Words = Record<string, Record<string, unknown>>;

const texts = <Code extends string>(codes: readonly Code[], textOf: (code: Code) => string) =>
  Object.fromEntries(codes.map((code) => [code, textOf(code)]));

const englishCatalogues = {
  errors: texts(errorCodes, errorText),
  fields: texts(fieldCodes, fieldText),
  alert_errors: texts(alertErrors, alertErrorText),
  events: texts(eventCodes, eventText),
  restore_notes: texts(restoreNotes, restoreNoteText),
  failures: texts(failureCodes, failureText),
  confirmation_reasons: texts(confirmationCodes, confirmationText),
  deliveries: texts(deliveryCodes, deliveryText),
} satisfies Words;

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
      const all = language === 'en' ? { ...own, ...englishCatalogues } : own;
      return `export default ${JSON.stringify(isStart ? startOf(all) : all)};`;
    },
  };
}
