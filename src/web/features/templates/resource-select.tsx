import { Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';

interface Props {
  label: string;
  description?: ReactNode;
  required?: boolean;
  /** Undefined while they are being read. */
  options: { id: number; name: string }[] | undefined;
  /** Where one is made, when there is none. */
  newAddress?: string;
  /** The id as text; empty: none. */
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
  'data-path'?: string;
}

/** Chooses a thing of the project; leads to the screen that makes one where there is none. */
export function ResourceSelect(props: Props) {
  const {
    options,
    newAddress,
    value = '',
    onChange,
    required = false,
    description,
    ...input
  } = props;
  const { t } = useTranslation();
  const makeOne = options?.length === 0 && newAddress !== undefined && (
    <Link to={newAddress} search={{ edit: 'new' }}>
      {t('template.form.create_missing')}
    </Link>
  );
  return (
    <Select
      {...input}
      description={makeOne || description}
      required={required}
      placeholder={required ? t('template.form.choose') : t('template.form.none')}
      data={(options ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      searchable
      clearable={!required}
      allowDeselect={!required}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      nothingFoundMessage={t('template.form.nothing_found')}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange?.(chosen ?? '')}
    />
  );
}
