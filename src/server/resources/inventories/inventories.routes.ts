import { inventories, type InventoryPreview, type InventoryText } from '#shared/api/inventories.ts';
import type { Context } from '../../context/context.ts';
import { type Http, rightsOnEach } from '../../http/serve.ts';
import {
  changeInventory,
  createInventory,
  inventoryRefs,
  removeInventory,
  requireInventory,
  shownInventory,
} from './inventories.ts';
import { listInventoriesOf } from './inventories.store.ts';

type Preview = (
  ctx: Context,
  text: InventoryText & { projectId: number },
) => Promise<InventoryPreview>;

export function inventoryRoutes(http: Http, preview: Preview): void {
  http.serve(inventories.preview, ({ ctx, projectId, body }) =>
    preview(ctx, { ...body, projectId: projectId }),
  );
  http.serve(inventories.list, async ({ ctx, projectId, query, access }) => {
    const list = await listInventoriesOf(ctx.db, projectId, query);
    const rightsOn = await rightsOnEach(access, 'inventory');
    return list.map((inventory) => shownInventory(inventory, rightsOn(inventory.id)));
  });
  http.serve(inventories.create, ({ ctx, projectId, body }) =>
    createInventory(ctx, projectId, body),
  );
  http.serve(inventories.one, async ({ ctx, projectId, id, access }) =>
    shownInventory(await requireInventory(ctx, projectId, id), access.rights),
  );
  http.serve(inventories.update, ({ ctx, projectId, id, body, ifMatch: revision }) =>
    changeInventory(ctx, { projectId, id, revision }, body),
  );
  http.serve(inventories.refs, ({ ctx, projectId, id }) => inventoryRefs(ctx, projectId, id));
  http.serve(inventories.remove, ({ ctx, projectId, id }) => removeInventory(ctx, projectId, id));
}
