import { IconServer2 } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { lazy } from 'react';
import { inventories, type Inventory } from '#shared/api/inventories.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useResourceList } from '../../lib/use-resource-list.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { ResourceList, type ResourceListProps } from '../../ui/lists/resource-list.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { useKeyNames } from '../keys/keys.queries.ts';
import { inventoryQueries } from './inventories.queries.ts';

const InventoryDialog = lazy(async () => ({
  default: (await import('./inventory-dialog.tsx')).InventoryDialog,
}));

export function InventoryList(props: ResourceListProps) {
  const { projectId } = props;
  const { t } = useTranslation();
  const keyName = useKeyNames(projectId);
  const list = useResourceList({
    ...props,
    noun: 'inventory',
    query: inventoryQueries.list(projectId),
    endpoints: inventories,
    onDone: toast,
    onFailed: toastError,
  });
  return (
    <ResourceList
      {...list}
      icon={<IconServer2 size={24} />}
      columns={columnsOf(t, keyName)}
      textOf={({ name, type }) => `${name} ${t(`inventory.type.${type}`)}`}
      renderDialog={(frame) => <InventoryDialog projectId={projectId} {...frame} />}
    />
  );
}

const columnsOf = (t: TFunction, keyName: (id: number | null) => string): Column<Inventory>[] => [
  {
    key: 'type',
    title: t('inventory.type.label'),
    from: 'small',
    sortBy: ({ type }) => t(`inventory.type.${type}`),
    cell: ({ type }) => t(`inventory.type.${type}`),
  },
  {
    key: 'user',
    title: t('inventory.user_credentials'),
    from: 'medium',
    cell: ({ ssh_key_id: id }) => keyName(id),
  },
  {
    key: 'sudo',
    title: t('inventory.sudo_credentials'),
    from: 'medium',
    cell: ({ become_key_id: id }) => keyName(id),
  },
];
