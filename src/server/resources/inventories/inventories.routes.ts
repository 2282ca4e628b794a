import { inventories, type InventoryPreview, type InventoryText } from '#shared/api/inventories.ts';
import type { Context } from '../../context/context.ts';
import type { Http } from '../../http/serve.ts';
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
  http.serve(inventories.preview, ({ ctx, params, body }) =>
    preview(ctx, { ...body, projectId: params.project_id }),
  );
  http.serve(inventories.list, async ({ ctx, params, query, access }) => {
    const list = await listInventoriesOf(ctx.db, params.project_id, query);
    return list.map((inventory) => shownInventory(inventory, access.mask));
  });
  http.serve(inventories.create, ({ ctx, params, body }) =>
    createInventory(ctx, params.project_id, body),
  );
  http.serve(inventories.one, async ({ ctx, params, access }) =>
    shownInventory(
      await requireInventory(ctx, params.project_id, params.inventory_id),
      access.mask,
    ),
  );
  http.serve(inventories.update, ({ ctx, params, body, ifMatch }) => {
    const { project_id: projectId, inventory_id: id } = params;
    return changeInventory(ctx, { projectId, id, revision: ifMatch }, body);
  });
  http.serve(inventories.refs, ({ ctx, params }) =>
    inventoryRefs(ctx, params.project_id, params.inventory_id),
  );
  http.serve(inventories.remove, ({ ctx, params }) =>
    removeInventory(ctx, params.project_id, params.inventory_id),
  );
}
