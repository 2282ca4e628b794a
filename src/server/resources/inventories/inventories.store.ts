import type { Inventory } from '#shared/api/inventories.ts';
import { resourceStore } from '../../db/resource.ts';

export const inventoryStore = resourceStore<'inventories', Inventory>('inventories', {
  columns: {},
  toEntity: ({ revision: _revision, ...row }) => ({ ...row, holder_id: null }),
});
