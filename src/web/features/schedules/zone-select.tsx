import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { scheduleQueries } from './schedules.queries.ts';

export interface Input {
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
}

const supported = Intl.supportedValuesOf('timeZone');
export const zones = supported.includes('UTC') ? supported : [...supported, 'UTC'];

export function ZoneSelect({
  projectId,
  value = '',
  onChange,
  error,
}: Input & { projectId: number }) {
  const server = useServerZone(projectId);
  const known = value === '' || zones.includes(value) ? zones : [value, ...zones];
  return (
    <Select
      label={t('schedule.time_zone')}
      placeholder={server ? t('schedule.server_zone', { zone: server }) : ''}
      data={known}
      limit={60}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      nothingFoundMessage={t('schedule.no_zone')}
      value={value || null}
      onChange={(chosen) => onChange?.(chosen ?? '')}
      error={error}
    />
  );
}

export const useServerZone = (projectId: number): string | undefined =>
  useQuery(scheduleQueries.next(projectId, '@daily', '')).data?.time_zone;
