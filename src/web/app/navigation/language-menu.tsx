import { IconLanguage } from '@tabler/icons-react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { languages, storedLanguage, t } from '../../lib/i18n.ts';
import { MenuButton } from '../../ui/buttons/menu-button.tsx';
import classes from './sidebar.module.css';

const LanguageChoices = lazyExport(() => import('./language-choices.tsx'), 'LanguageChoices');

export function LanguageMenu() {
  const stored = storedLanguage();
  const name = stored ? languages[stored].name : t('language.system');
  const button = (
    <button type="button" className={classes.entry} title={t('language.choose', { name })}>
      <IconLanguage size={18} aria-hidden="true" />
      {t('language.choose', { name })}
    </button>
  );
  return (
    <MenuButton button={button}>
      <LanguageChoices button={button} />
    </MenuButton>
  );
}
