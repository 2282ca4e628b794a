// What is chosen for all selected templates; loaded with the first question.

import { useQuery } from '@tanstack/react-query';
import { t } from '../../../lib/i18n.ts';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { inventoryQueries } from '../../inventories/inventories.queries.ts';
import { viewQueries } from '../../views/views.queries.ts';

interface FieldProps {
  projectId: number;
  value: number | null;
  onChange: (value: number | null) => void;
}

export function ViewField({ projectId, ...props }: FieldProps) {
  const { data } = useQuery(viewQueries.list(projectId));
  return (
    <IdSelect
      label={t('template.form.view')}
      items={data?.map(({ id, title }) => ({ id, name: title }))}
      data-autofocus
      {...props}
    />
  );
}

export function InventoryField({ projectId, ...props }: FieldProps) {
  const { data } = useQuery(inventoryQueries.list(projectId));
  return <IdSelect label={t('template.column.inventory')} items={data} data-autofocus {...props} />;
}
