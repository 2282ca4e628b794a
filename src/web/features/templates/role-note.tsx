import { IconEye, IconPlayerPlay } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import classes from './role-note.module.css';

interface Props {
  mayRun: boolean;
  mayManage: boolean;
}

/** Tells people who may not change templates what their role allows. */
export function RoleNote({ mayRun, mayManage }: Props) {
  if (mayManage) return null;
  const Icon = mayRun ? IconPlayerPlay : IconEye;
  return (
    <p className={classes.note}>
      <Icon size={16} aria-hidden="true" />
      {mayRun ? t('role.may_run') : t('role.read_only')}
    </p>
  );
}
