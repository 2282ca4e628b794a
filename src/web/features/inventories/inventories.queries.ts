import { inventories } from '#shared/api/inventories.ts';
import { query, send } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';

export const inventoryResource = defineResource({
  noun: 'inventory',
  endpoints: inventories,
  refs: inventories.refs,
});

export const inventoryQueries = {
  list: (projectId: number) => query(inventories.list, { params: { project_id: projectId } }),
};
export const previewInventory = () => send(inventories.preview);
