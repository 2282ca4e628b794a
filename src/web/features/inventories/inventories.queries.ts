import { inventories } from '#shared/api/inventories.ts';
import { query } from '../../lib/query.ts';

export const inventoryQueries = {
  list: (projectId: number) => query(inventories.list, { params: { project_id: projectId } }),
};
