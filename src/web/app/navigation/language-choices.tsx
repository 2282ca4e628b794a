import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import {
  chooseLanguage,
  type Language,
  languageNames,
  languages,
  storedLanguage,
  t,
} from '../../lib/i18n.ts';
import { OpenedMenu } from '../../ui/buttons/opened-menu.tsx';
import classes from './sidebar.module.css';

export function LanguageChoices({ button }: { button: ReactElement }) {
  const stored = storedLanguage();
  const choices = ['', ...languageNames] as const;
  return (
    <OpenedMenu
      button={button}
      position="top-start"
      width={220}
      classNames={{ dropdown: classes.dropdown ?? '' }}
    >
      <Menu.RadioGroup value={stored} onChange={(value) => chooseLanguage(value as Language | '')}>
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
    </OpenedMenu>
  );
}
