import { inventories } from '#shared/api/inventories.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [inventories.list, inventories.one];

export const inventoryQueries = {
  list: (projectId: number) => query(inventories.list, { params: { project_id: projectId } }),
};
export const createInventory = () => send(inventories.create, { refresh });
export const updateInventory = () => send(inventories.update, { refresh });
export const previewInventory = () => send(inventories.preview);
