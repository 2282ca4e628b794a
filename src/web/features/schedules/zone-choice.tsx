import type { SelectProps } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { Select } from '../../ui/forms/select.ts';

const supported = Intl.supportedValuesOf('timeZone');
const zones = supported.includes('UTC') ? supported : [...supported, 'UTC'];

/** A choice of time zones; null: none is chosen. */
export function ZoneChoice({ value, ...props }: Omit<SelectProps, 'data'>) {
  return (
    <Select
      data={!value || zones.includes(value) ? zones : [value, ...zones]}
      limit={60}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      nothingFoundMessage={t('schedule.no_zone')}
      value={value ?? null}
      {...props}
    />
  );
}
