import { Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { IconLanguage } from '@tabler/icons-react';
import {
  chooseLanguage,
  type Language,
  languageNames,
  languages,
  storedLanguage,
  useTranslation,
} from '../lib/i18n.ts';
import classes from './sidebar.module.css';

export function LanguageMenu() {
  const { t } = useTranslation();
  const stored = storedLanguage();
  const name = stored ? languages[stored].name : t('language.system');
  const choices = ['', ...languageNames] as const;
  return (
    <Menu position="top-start" width={220} classNames={{ dropdown: classes.dropdown ?? '' }}>
      <Menu.Target>
        <button type="button" className={classes.entry}>
          <IconLanguage size={18} aria-hidden="true" />
          {t('language.choose', { name })}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={stored}
          onChange={(value) => chooseLanguage(value as Language | '')}
        >
          {choices.map((choice) => (
            <Menu.RadioItem
              key={choice}
              value={choice}
              lang={choice ? languages[choice].tag : undefined}
            >
              {choice ? languages[choice].name : t('language.system')}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
