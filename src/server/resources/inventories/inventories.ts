import type { Inventory, NewInventory } from '#shared/api/inventories.ts';
import type { Rights } from '#shared/rights.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { forgetHosts, hostsOf, recordHosts } from '../hosts/hosts.ts';
import { hasKey } from '../keys/keys.ts';
import { hasRepository } from '../repositories/repositories.ts';
import { checkReferences, resource, type Target } from '../resource.ts';
import { inventoryStore } from './inventories.store.ts';

const inventories = resource(inventoryStore, 'inventories', 'inventory');
export const requireInventory = inventories.require;
export const inventoryRefs = inventories.refs;
export const hasInventory = inventoryStore.exists;
export const listInventories = inventoryStore.list;

export async function createInventory(
  ctx: Context,
  projectId: number,
  input: NewInventory,
): Promise<Inventory> {
  await check(ctx, projectId, input);
  const hosts = await hostsOf(ctx, { ...input, projectId, id: null });
  return inTransaction(ctx, async (inner) => {
    const made = await inventories.create(inner, projectId, input);
    await recordHosts(inner, { projectId, id: made.id }, hosts);
    return made;
  });
}

export async function changeInventory(
  ctx: Context,
  target: Target,
  input: NewInventory,
): Promise<void> {
  await check(ctx, target.projectId, input);
  const hosts = await hostsOf(ctx, { ...input, projectId: target.projectId, id: target.id });
  await inTransaction(ctx, async (inner) => {
    await inventories.change(inner, target, input);
    await recordHosts(inner, target, hosts);
  });
}

export async function removeInventory(ctx: Context, projectId: number, id: number): Promise<void> {
  await inventories.remove(ctx, projectId, id);
  await forgetHosts(ctx, projectId);
}

function check(ctx: Context, projectId: number, input: NewInventory): Promise<void> {
  return checkReferences(ctx, projectId, {
    ssh_key_id: [input.ssh_key_id, hasKey],
    become_key_id: [input.become_key_id, hasKey],
    repository_id: [input.repository_id, hasRepository],
  });
}

/** Without the right, the content is hidden. */
export function shownInventory<T extends Inventory>(inventory: T, rights: Rights): T {
  const isShown = rights.has('inventory.read');
  return isShown ? inventory : { ...inventory, inventory: '' };
}
