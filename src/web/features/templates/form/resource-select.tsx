import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { IdSelect } from '../../../ui/forms/id-select.tsx';

interface Props extends ComponentProps<typeof IdSelect> {
  /** The screen that makes such a thing, linked when there is none. */
  newAddress?: string;
}

/** Chooses a thing of the project; leads to the screen that makes one where there is none. */
export function ResourceSelect({ newAddress, description, ...props }: Props) {
  const { t } = useTranslation();
  const makeOne = props.items?.length === 0 && newAddress !== undefined && (
    <Link to={newAddress} search={{ edit: 'new' }}>
      {t('template.form.create_missing')}
    </Link>
  );
  return (
    <IdSelect
      placeholder={props.required ? t('template.form.choose') : t('template.form.none')}
      description={makeOne || description}
      {...props}
    />
  );
}
