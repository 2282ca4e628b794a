import { Menu } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  IconArrowLeft,
  IconHelp,
  IconLanguage,
  IconLogout,
  IconMessage,
  IconUserEdit,
  IconUsers,
} from '@tabler/icons-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { systemQueries } from '../../features/system/system.queries.ts';
import {
  chooseLanguage,
  type Language,
  languageNames,
  languages,
  storedLanguage,
  t,
} from '../../lib/i18n.ts';
import { useDarkMode } from '../../lib/use-dark-mode.ts';
import { OpenedMenu } from '../../ui/buttons/opened-menu.tsx';
import { toasts } from '../../ui/feedback/toast.ts';
import { useCurrentUser } from '../session/access.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import classes from './sidebar.module.css';
import type { useRail } from './use-rail.ts';

interface Props {
  button: ReactElement;
  unread: number;
  onToastList: () => void;
  rail: ReturnType<typeof useRail> | undefined;
}

export function UserChoices({ button, ...props }: Props) {
  const [isLanguage, setLanguage] = useState(false);
  return (
    <OpenedMenu
      button={button}
      position="top-start"
      width={236}
      classNames={{ dropdown: classes.dropdown ?? '' }}
      onClose={() => setLanguage(false)}
    >
      {isLanguage ? (
        <Languages onBack={() => setLanguage(false)} />
      ) : (
        <>
          <Pages />
          <Preferences {...props} onLanguage={() => setLanguage(true)} />
          <SignOut />
        </>
      )}
    </OpenedMenu>
  );
}

function Pages() {
  const user = useCurrentUser();
  const { data: info } = useSuspenseQuery(systemQueries.info());
  return (
    <>
      <Menu.Label>{t('shell.version', { version: info.version })}</Menu.Label>
      {user.admin && (
        <Menu.Item
          leftSection={<IconUsers size={16} />}
          renderRoot={(props) => <Link to="/users" {...props} />}
        >
          {t('user.list')}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconUserEdit size={16} />}
        renderRoot={(props) => <Link to="/account" {...props} />}
      >
        {t('account.edit')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconHelp size={16} />}
        renderRoot={(props) => <Link to="/help" {...props} />}
      >
        {t('help.title')}
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}

function Preferences({
  unread,
  onToastList,
  rail,
  onLanguage,
}: Omit<Props, 'button'> & { onLanguage: () => void }) {
  const [isDark, setDark] = useDarkMode();
  const stored = storedLanguage();
  const name = stored ? languages[stored].name : t('language.system');
  return (
    <>
      <Menu.Item
        leftSection={<IconMessage size={16} />}
        rightSection={
          unread > 0 && (
            <span className={`smallest numbers text-center ${classes.unread}`}>{unread}</span>
          )
        }
        onClick={() => {
          toasts.markRead();
          onToastList();
        }}
      >
        {t('toast.list')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconLanguage size={16} />}
        closeMenuOnClick={false}
        onClick={onLanguage}
      >
        {t('language.choose', { name })}
      </Menu.Item>
      <Menu.CheckboxItem checked={isDark} onChange={setDark}>
        {t('shell.dark_mode')}
      </Menu.CheckboxItem>
      {rail && (
        <Menu.CheckboxItem checked={rail.isRail} onChange={rail.toggle}>
          {t('shell.rail')}
        </Menu.CheckboxItem>
      )}
      <Menu.Divider />
    </>
  );
}

function Languages({ onBack }: { onBack: () => void }) {
  const choices = ['', ...languageNames] as const;
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <Menu.Item
        leftSection={<IconArrowLeft size={16} />}
        closeMenuOnClick={false}
        onClick={onBack}
        ref={first}
      >
        {t('common.back')}
      </Menu.Item>
      <Menu.RadioGroup
        value={storedLanguage()}
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
    </>
  );
}

function SignOut() {
  const { leave } = useSignOut();
  return (
    <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
      {t('shell.sign_out')}
    </Menu.Item>
  );
}
