import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import { inventoryQueries } from '../../inventories/inventories.queries.ts';

interface Props {
  projectId: number;
  value?: string;
  onChange?: (value: string | null) => void;
  error?: ReactNode;
}

export function InventorySelect({ projectId, ...input }: Props) {
  const { data } = useQuery(inventoryQueries.list(projectId));
  return (
    <Select
      label={t('new_task.inventory')}
      data={(data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      allowDeselect={false}
      searchable
      {...input}
    />
  );
}
