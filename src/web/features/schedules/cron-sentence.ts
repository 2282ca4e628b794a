// Describes a cron expression in the language of the user.

import { type Language, language, timeTag } from '../../lib/i18n.ts';
import { hasWholeDays } from '../../lib/time.ts';

interface Words {
  /** The locale in cronstrue. */
  locale: string;
  /** Loads the locale into cronstrue, which has only English at first. */
  load: () => Promise<unknown>;
}

const words: Record<Language, Words> = {
  en: { locale: 'en', load: () => Promise.resolve() },
  es: { locale: 'es', load: () => import('cronstrue/locales/es.js') },
  ru: { locale: 'ru', load: () => import('cronstrue/locales/ru.js') },
  de: { locale: 'de', load: () => import('cronstrue/locales/de.js') },
  zh_hans: { locale: 'zh_CN', load: () => import('cronstrue/locales/zh_CN.js') },
  zh_hant: { locale: 'zh_TW', load: () => import('cronstrue/locales/zh_TW.js') },
  fr: { locale: 'fr', load: () => import('cronstrue/locales/fr.js') },
  it: { locale: 'it', load: () => import('cronstrue/locales/it.js') },
  pl: { locale: 'pl', load: () => import('cronstrue/locales/pl.js') },
  pt: { locale: 'pt_PT', load: () => import('cronstrue/locales/pt_PT.js') },
  pt_br: { locale: 'pt_BR', load: () => import('cronstrue/locales/pt_BR.js') },
  nl: { locale: 'nl', load: () => import('cronstrue/locales/nl.js') },
};

/** Describes a cron expression; null if the library cannot parse it. */
type CronSentence = (text: string) => string | null;

export async function loadCronSentence(): Promise<CronSentence> {
  const { locale, load } = words[language];
  const [{ default: cronstrue }] = await Promise.all([import('cronstrue'), load()]);
  const use24HourTimeFormat = hasWholeDays(timeTag());
  return (text) => {
    try {
      return cronstrue.toString(text, { locale, use24HourTimeFormat });
    } catch {
      return null;
    }
  };
}
