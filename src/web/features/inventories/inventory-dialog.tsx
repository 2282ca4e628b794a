import { filledInventory } from '#shared/api/inventories.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { inventoryResource } from './inventories.queries.ts';
import { InventoryFields } from './inventory-fields.tsx';
import { inventoryBody, inventoryValues } from './inventory-values.ts';

export const InventoryDialog = defineResourceDialog({
  resource: inventoryResource,
  help: 'inventory',
  size: 720,
  fields: 5,
  values: inventoryValues,
  toBody: inventoryBody,
  schema: filledInventory,
  Fields: InventoryFields,
});
