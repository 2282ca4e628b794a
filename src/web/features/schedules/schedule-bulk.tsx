// The actions with the selected schedules of the list.

import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { schedules } from '#shared/api/schedules.ts';
import { call } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import type { BulkAction } from '../../resources/bulk-action.ts';

export const changedByBulk = [schedules.list, schedules.ofTemplate, schedules.one];

export function scheduleActions(projectId: number): BulkAction[] {
  const callAs = (action: 'pause' | 'enable' | 'delete') => (ids: number[]) =>
    call(schedules.bulk, { params: { project_id: projectId }, body: { action, ids } });
  return [
    {
      key: 'pause',
      label: (count) => t('schedule.bulk.pause', { count }),
      icon: <IconPlayerPause size={15} />,
      call: callAs('pause'),
    },
    {
      key: 'enable',
      label: (count) => t('schedule.bulk.enable', { count }),
      icon: <IconPlayerPlay size={15} />,
      call: callAs('enable'),
    },
    {
      key: 'delete',
      label: (count) => t('schedule.bulk.delete', { count }),
      icon: <IconTrash size={15} />,
      text: t('schedule.bulk.delete_text'),
      isDangerous: true,
      call: callAs('delete'),
    },
  ];
}
