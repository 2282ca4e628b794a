import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Schedule } from '#shared/api/schedules.ts';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { t } from '../../lib/i18n.ts';
import { useOptimisticValue } from '../../lib/use-optimistic-value.ts';
import { nameOf, switchSchedule } from './schedules.queries.ts';

export function ActiveSwitch({ schedule }: { schedule: Schedule }) {
  const change = useMutation(switchSchedule());
  const { shown, ask, settle } = useOptimisticValue(schedule.active);
  const params = { project_id: schedule.project_id, schedule_id: schedule.id };
  const save = (active: boolean) => {
    ask(active);
    change.mutate({ params, body: { active } }, { onError: toastFailure, onSettled: settle });
  };
  return (
    <Switch
      size="sm"
      aria-label={t('schedule.active_label', { name: nameOf(schedule) })}
      checked={shown}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}
