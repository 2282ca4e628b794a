import { IconServerOff } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { Chip } from './chip.tsx';

/** Stands beside the status of a successful task of Ansible that ran on no host. */
export function NoHostsBadge() {
  return (
    <Chip tone="warning" icon={<IconServerOff size={15} />}>
      {t('task.no_hosts')}
    </Chip>
  );
}
