// What a cron text means, in the language of the person.

import { type Language, language } from '../../lib/i18n.ts';

// Each one adds itself to the languages of the library.
const loaders: Record<Language, () => Promise<unknown>> = {
  en: () => Promise.resolve(),
  de: () => import('cronstrue/locales/de.js'),
};

/** Makes sentences of cron texts; null of what it does not understand. */
export type CronSentence = (text: string) => string | null;

export async function loadCronSentence(): Promise<CronSentence> {
  const [{ default: cronstrue }] = await Promise.all([import('cronstrue'), loaders[language]()]);
  return (text) => {
    try {
      return cronstrue.toString(text, { locale: language, use24HourTimeFormat: true });
    } catch {
      return null;
    }
  };
}
