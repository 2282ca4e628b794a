import {
  chooseLanguage,
  type Language,
  languageNames,
  languages,
  storedLanguage,
  t,
} from '../../lib/i18n.ts';
import { useDarkMode } from '../../lib/use-dark-mode.ts';
import classes from './sign-in-choices.module.css';

/** Language and theme before sign-in; the browser stores both. */
export function SignInChoices() {
  const [isDark, setDark] = useDarkMode();
  return (
    <div className="row wrap justify-center gap-8 pt-16">
      {/* A native select, because a Mantine menu would double the page's scripts. */}
      <select
        className={`soft rounded-6 ${classes.control}`}
        aria-label={t('sign_in.language')}
        value={storedLanguage()}
        onChange={(event) => chooseLanguage(event.currentTarget.value as Language | '')}
      >
        <option value="">{t('language.choose', { name: t('language.system') })}</option>
        {languageNames.map((name) => (
          <option key={name} value={name} lang={languages[name].tag}>
            {languages[name].name}
          </option>
        ))}
      </select>
      <button
        type="button"
        className={`soft rounded-6 ${classes.control}`}
        aria-pressed={isDark}
        onClick={() => setDark(!isDark)}
      >
        {t('sign_in.dark_mode')}
      </button>
    </div>
  );
}
