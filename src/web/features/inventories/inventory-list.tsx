import { IconListTree } from '@tabler/icons-react';
import type { Inventory } from '#shared/api/inventories.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { ResourceList, type ResourceListProps } from '../../resources/resource-list.tsx';
import { column, sortedColumn } from '../../resources/columns.ts';
import { useKeyNames } from '../keys/keys.queries.ts';
import { inventoryQueries, inventoryResource } from './inventories.queries.ts';

const InventoryDialog = lazyExport(() => import('./inventory-dialog.tsx'), 'InventoryDialog');

export function InventoryList({ projectId, ...screen }: ResourceListProps) {
  const keyName = useKeyNames(projectId);
  return (
    <ResourceList
      {...screen}
      resource={inventoryResource}
      scope={{ projectId }}
      query={inventoryQueries.list(projectId)}
      Dialog={InventoryDialog}
      icon={<IconListTree size={24} />}
      columns={columnsOf(keyName)}
      textOf={({ name, type }) => `${name} ${t(`inventory.type.${type}`)}`}
    />
  );
}

const columnsOf = (keyName: (id: number | null) => string): Column<Inventory>[] => [
  sortedColumn('type', t('inventory.type.label'), { from: 'small' }, ({ type }) =>
    t(`inventory.type.${type}`),
  ),
  column('user', t('inventory.user_credentials'), { from: 'medium' }, ({ ssh_key_id: id }) =>
    keyName(id),
  ),
  column('sudo', t('inventory.sudo_credentials'), { from: 'medium' }, ({ become_key_id: id }) =>
    keyName(id),
  ),
];
