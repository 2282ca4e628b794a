import { IconServerOff } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { Chip } from './chip.tsx';

/** For a successful Ansible task that ran on no host. */
export function NoHostsBadge() {
  return (
    <Chip tone="warning" icon={<IconServerOff size={15} />}>
      {t('task.no_hosts')}
    </Chip>
  );
}
