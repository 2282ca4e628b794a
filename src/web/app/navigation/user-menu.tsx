import { IconUserCircle } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { MenuButton } from '../../ui/buttons/menu-button.tsx';
import { toasts } from '../../ui/feedback/toast.ts';
import { useCurrentUser } from '../session/access.ts';
import classes from './sidebar.module.css';
import type { useRail } from './use-rail.ts';

const UserChoices = lazyExport(() => import('./user-choices.tsx'), 'UserChoices');

interface Props {
  onToastList: () => void;
  /** Collapses the sidebar to a rail of icons; missing in the drawer. */
  rail: ReturnType<typeof useRail> | undefined;
}

export function UserMenu({ onToastList, rail }: Props) {
  const user = useCurrentUser();
  const { unread } = useSyncExternalStore(toasts.watch, toasts.state);
  const button = (
    <button type="button" className={classes.entry} data-rail-tip={user.name}>
      <IconUserCircle size={18} aria-hidden="true" />
      <span className={`column grow ${classes.words}`}>
        <span className="weight-600 cut">{user.name}</span>
        {user.admin && <span className={classes.badge}>{t('user.column.admin')}</span>}
      </span>
      {unread > 0 && (
        <span className={`smallest numbers text-center ${classes.unread}`}>
          <span aria-hidden="true">{unread}</span>
          <span className="visually-hidden">{t('toast.unread', { count: unread })}</span>
        </span>
      )}
    </button>
  );
  return (
    <MenuButton button={button}>
      <UserChoices button={button} unread={unread} onToastList={onToastList} rail={rail} />
    </MenuButton>
  );
}
