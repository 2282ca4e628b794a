import { sql } from 'kysely';
import { fitsApp, type Inventory, inventoryTypes } from '#shared/api/inventories.ts';
import type { Db } from '../../db/open.ts';
import { type ListOptions, resourceStore } from '../../db/resource.ts';

export const inventoryStore = resourceStore<'inventories', Inventory>('inventories', {
  columns: {},
  toEntity: ({ revision: _revision, ...row }) => ({ ...row, holder_id: null }),
});

/** `app` restricts the list to types that the app supports. */
export async function listInventoriesOf(
  db: Db,
  projectId: number,
  { app, ...options }: ListOptions & { app?: string | undefined },
): Promise<Inventory[]> {
  if (!app) return inventoryStore.list(db, projectId, options);
  const types = inventoryTypes.filter((type) => fitsApp(type, app));
  if (types.length === 0) return [];
  return inventoryStore.list(db, projectId, {
    ...options,
    where: [sql`type in (${sql.join(types)})`],
  });
}
