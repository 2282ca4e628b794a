import { type SelectProps } from '@mantine/core';
import { Select } from './select.ts';
import { t } from '../../lib/i18n.ts';
import { useOnlyChoice } from './only-choice.ts';

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'defaultValue'> {
  /** Undefined while they are loaded. */
  items: { id: number; name: string }[] | undefined;
  /** The candidates for preselection; by default all. */
  likely?: { id: number }[] | undefined;
  value?: number | null;
  onChange?: (id: number | null) => void;
  /** Preselects the only item although the field may stay empty; required fields always do. */
  preselect?: boolean;
}

export function IdSelect(allProps: Props) {
  const { items, likely = items, value, onChange, required, preselect, ...props } = allProps;
  useOnlyChoice({
    ids: likely?.map(({ id }) => id),
    value,
    isWanted: (required ?? false) || (preselect ?? false),
    onChoose: onChange,
  });
  return (
    <Select
      searchable
      // The first wrong field of a form gets the focus, and an open list would cover the error.
      openOnFocus={false}
      clearable={!required}
      // A click on the chosen option keeps it; the button beside it clears the field.
      allowDeselect={false}
      required={required ?? false}
      clearButtonProps={{
        'aria-label':
          typeof props.label === 'string'
            ? t('filter.clear_named', { name: props.label })
            : t('common.clear'),
        // Mantine hides the button from the keyboard, and selecting an option again keeps it.
        'aria-hidden': false,
        tabIndex: 0,
      }}
      nothingFoundMessage={items ? t('common.nothing_found') : t('common.loading')}
      data={(items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value == null ? null : String(value)}
      onChange={(text) => onChange?.(text === null ? null : Number(text))}
      {...props}
    />
  );
}
