import { IconCheck } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';

export function CheckMark({ on }: { on: boolean }) {
  return (
    <span>
      {on ? <IconCheck size={16} aria-hidden="true" /> : <span aria-hidden="true">—</span>}
      <span className="visually-hidden">{on ? t('common.yes') : t('common.no')}</span>
    </span>
  );
}
