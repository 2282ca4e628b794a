import { IconFlask } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { Chip } from './chip.tsx';

export function DryRunBadge() {
  return (
    <Chip tone="warning" icon={<IconFlask size={15} />}>
      {t('new_task.dry_run')}
    </Chip>
  );
}
