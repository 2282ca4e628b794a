import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { scheduleQueries } from './schedules.queries.ts';
import { ZoneChoice } from './zone-choice.tsx';

export interface Input {
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
}

export function ZoneSelect({
  projectId,
  value = '',
  onChange,
  error,
}: Input & { projectId: number }) {
  const server = useServerZone(projectId);
  return (
    <ZoneChoice
      label={t('schedule.time_zone')}
      placeholder={server ? t('schedule.server_zone', { zone: server }) : ''}
      value={value || null}
      onChange={(chosen) => onChange?.(chosen ?? '')}
      error={error}
    />
  );
}

export const useServerZone = (projectId: number): string | undefined =>
  useQuery(scheduleQueries.next(projectId, '@daily', '')).data?.time_zone;
