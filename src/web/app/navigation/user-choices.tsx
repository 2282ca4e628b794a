import { Menu } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconHelp, IconLogout, IconUserEdit, IconUsers } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { systemQueries } from '../../features/system/system.queries.ts';
import { t } from '../../lib/i18n.ts';
import { OpenedMenu } from '../../ui/buttons/opened-menu.tsx';
import { useCurrentUser } from '../session/access.ts';
import classes from './sidebar.module.css';
import { useSignOut } from '../session/use-sign-out.ts';

export function UserChoices({ button }: { button: ReactElement }) {
  const user = useCurrentUser();
  const { data: info } = useSuspenseQuery(systemQueries.info());
  const { leave } = useSignOut();
  return (
    <OpenedMenu
      button={button}
      position="top-start"
      width={236}
      classNames={{ dropdown: classes.dropdown ?? '' }}
    >
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
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
        {t('shell.sign_out')}
      </Menu.Item>
    </OpenedMenu>
  );
}
