import { Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { signOut } from '../features/session/session.queries.ts';
import { systemQueries } from '../features/system/system.queries.ts';
import { errorWords } from '../lib/error-words.ts';
import { useTranslation } from '../lib/i18n.ts';
import { forgetSession } from '../lib/session-cookie.ts';
import { sessionEnd } from '../lib/session-end.ts';
import { toastError } from '../ui/toast.ts';
import { useCurrentUser } from './access.ts';
import classes from './sidebar.module.css';

export function UserMenu() {
  const { t } = useTranslation();
  const user = useCurrentUser();
  const { data: info } = useSuspenseQuery(systemQueries.info());
  const leave = useMutation({
    ...signOut(),
    onSuccess: () => {
      forgetSession();
      location.assign('/auth/login');
    },
    onMutate: () => sessionEnd.leave(),
    onError: (error) => {
      sessionEnd.stay();
      toastError(errorWords(error));
    },
  });
  return (
    <Menu position="top-start" width={236} classNames={{ dropdown: classes.dropdown ?? '' }}>
      <Menu.Target>
        <button type="button" className={classes.entry}>
          <IconUserCircle size={18} aria-hidden="true" />
          <span className={classes.words}>
            <span className="cut">{user.name}</span>
            {user.admin && <span>{t('role.admin')}</span>}
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell.version', { version: info.version })}</Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => leave.mutate({})}>
          {t('shell.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
