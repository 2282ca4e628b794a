import { Select, type SelectProps } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import { useTranslation } from '../../lib/i18n.ts';

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'defaultValue'> {
  /** Undefined while they are loaded. */
  items: { id: number; name: string }[] | undefined;
  value?: number | null;
  onChange?: (id: number | null) => void;
}

/** Chooses one of the things that have an id and a name. */
export function IdSelect({ items, value, onChange, required, ...props }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      searchable
      // The first wrong field of a form is focused, and the list would cover what is wrong.
      openOnFocus={false}
      clearable={!required}
      allowDeselect={!required}
      required={required ?? false}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      nothingFoundMessage={items ? t('common.nothing_found') : t('common.loading')}
      data={(items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value == null ? null : String(value)}
      onChange={(text) => onChange?.(text === null ? null : Number(text))}
      {...props}
    />
  );
}
