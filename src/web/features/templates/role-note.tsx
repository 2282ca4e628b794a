import { IconEye, IconPlayerPlay } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';

/** What the role of the user allows, for users who may not change templates. */
export function RoleNote({ mayRun, mayManage }: { mayRun: boolean; mayManage: boolean }) {
  if (mayManage) return null;
  const Icon = mayRun ? IconPlayerPlay : IconEye;
  return (
    <p className="row gap-8 soft" style={{ paddingBottom: 10 }}>
      <Icon size={16} aria-hidden="true" />
      {mayRun ? t('role.may_run') : t('role.read_only')}
    </p>
  );
}
