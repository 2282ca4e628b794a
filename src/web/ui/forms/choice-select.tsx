import { Select, type SelectProps } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import { t } from '../../lib/i18n.ts';

export interface ChoiceProps {
  label: string;
  options: SelectProps['data'];
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
}

/** The list of a `ChoiceFilter`. */
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
