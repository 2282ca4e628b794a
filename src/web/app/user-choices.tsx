import { Menu } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconLogout, IconUserEdit, IconUsers } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { signOut } from '../features/session/session.queries.ts';
import { systemQueries } from '../features/system/system.queries.ts';
import { errorWords } from '../lib/error-words.ts';
import { useTranslation } from '../lib/i18n.ts';
import { forgetSession, justSignedOut } from '../lib/session-cookie.ts';
import { sessionEnd } from '../lib/session-end.ts';
import { OpenedMenu } from '../ui/opened-menu.tsx';
import { toastError } from '../ui/toast.ts';
import { useCurrentUser } from './access.ts';
import classes from './sidebar.module.css';

/** What somebody does about their own account. */
export function UserChoices({ button }: { button: ReactElement }) {
  const { t } = useTranslation();
  const user = useCurrentUser();
  const { data: info } = useSuspenseQuery(systemQueries.info());
  const leave = useMutation({
    ...signOut(),
    onSuccess: (answer) => {
      forgetSession();
      justSignedOut.note();
      location.assign(answer?.end_session_url ?? '/auth/login');
    },
    onMutate: () => sessionEnd.leave(),
    onError: (error) => {
      sessionEnd.stay();
      toastError(errorWords(error));
    },
  });
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
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => leave.mutate({})}>
        {t('shell.sign_out')}
      </Menu.Item>
    </OpenedMenu>
  );
}
