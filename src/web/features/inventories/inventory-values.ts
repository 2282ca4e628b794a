// The values of the inventory form, and the body made from them.

import { type Inventory, type InventoryType, isWorkspace } from '#shared/api/inventories.ts';

export const inventoryValues = (inventory?: Inventory) => ({
  name: inventory?.name ?? '',
  type: inventory?.type ?? 'static',
  // One text per type, so that a change of the type loses no input.
  texts: {
    static: '',
    'static-yaml': '',
    file: '',
    'terraform-workspace': '',
    'tofu-workspace': '',
    ...(inventory && { [inventory.type]: inventory.inventory }),
  } as Record<InventoryType, string>,
  ssh_key_id: inventory?.ssh_key_id ?? null,
  become_key_id: inventory?.become_key_id ?? null,
  repository_id: inventory?.repository_id ?? null,
});
export type InventoryValues = ReturnType<typeof inventoryValues>;

export const inventoryBody = ({ texts, ...values }: InventoryValues) => {
  return {
    ...values,
    inventory: texts[values.type],
    ...(isWorkspace(values.type) && { ssh_key_id: null, become_key_id: null }),
    ...(values.type !== 'file' && { repository_id: null }),
  };
};
