import { IconEye, IconPlayerPlay } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { isReadOnly, type May, maySomewhere } from '../../lib/roles/may.ts';

/** What the role of the user allows, for users who may only run templates, or only read. */
export function RoleNote({ may }: { may: May }) {
  if (may('template.edit')) return null;
  const mayRun = may('template.run');
  if (!mayRun && !isReadOnly(maySomewhere(may))) return null;
  const Icon = mayRun ? IconPlayerPlay : IconEye;
  return (
    <p className="row gap-8 soft" style={{ paddingBottom: 10 }}>
      <Icon size={16} aria-hidden="true" />
      {mayRun ? t('role.may_run') : t('role.read_only')}
    </p>
  );
}
