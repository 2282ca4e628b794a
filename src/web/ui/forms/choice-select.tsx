import { type SelectProps } from '@mantine/core';
import { Select } from './select.ts';
import { t } from '../../lib/i18n.ts';

export interface ChoiceProps {
  label: string;
  options: SelectProps['data'];
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
}

/** The lazy-loaded part of `ChoiceFilter`. */
export function ChoiceSelect({ label, options, value, onChoose }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={options ?? []}
      value={value ?? null}
      onChange={(chosen) => onChoose(chosen ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filter.clear_named', { name: label }) }}
      nothingFoundMessage={t('filter.nothing')}
      comboboxProps={{ position: 'bottom-start', width: 'target', shadow: 'md' }}
      maxDropdownHeight={320}
      limit={300}
    />
  );
}
