import { IconUserCircle } from '@tabler/icons-react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import { MenuButton } from '../../ui/buttons/menu-button.tsx';
import { useCurrentUser } from '../session/access.ts';
import classes from './sidebar.module.css';

const UserChoices = lazyExport(() => import('./user-choices.tsx'), 'UserChoices');

export function UserMenu() {
  const user = useCurrentUser();
  const button = (
    <button type="button" className={classes.entry} title={user.name}>
      <IconUserCircle size={18} aria-hidden="true" />
      <span className={`column grow ${classes.words}`}>
        <span className="weight-600 cut">{user.name}</span>
        {user.admin && <span className={classes.badge}>{t('user.column.admin')}</span>}
      </span>
    </button>
  );
  return (
    <MenuButton button={button}>
      <UserChoices button={button} />
    </MenuButton>
  );
}
