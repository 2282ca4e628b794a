import type { Host, HostTask } from '#shared/api/hosts.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { fail } from '../../lib/errors.ts';
import { readPage, type Page } from '../../lib/page.ts';
import { type InventoryHosts, readInventory } from '../../db/host-names/static-inventory.ts';
import { removeUntold } from './host-facts.store.ts';
import {
  addRun,
  countInventoryHosts,
  lockProject,
  removeUnknown,
  updateAfterDeletion,
  updateInventoryHosts,
} from './host-rows.store.ts';
import {
  findHostRow,
  type HostFilter,
  listHostRows,
  listHostTasks,
  withDetails,
} from './hosts.store.ts';

// The limit of a list whose query has none.
const usualLimit = 100;

export async function getHosts(
  ctx: Context,
  projectId: number,
  { limit = usualLimit, ...filter }: HostFilter & { limit?: number | undefined },
): Promise<Page<Host>> {
  const read = (count: number) => listHostRows(ctx.db, projectId, filter, count);
  const { items, next } = await readPage(limit, read);
  return { items: await withDetails(ctx.db, projectId, items, filter.ofInventories), next };
}

export interface HostRef {
  projectId: number;
  name: string;
  /** Whether hosts are shown that only inventories name, whose content guests do not see. */
  ofInventories: boolean;
}

/** The host; refuses if the project has none with this name that the caller may see. */
export async function requireHost(ctx: Context, { projectId, name, ofInventories }: HostRef) {
  const row = await findHostRow(ctx.db, projectId, name, ofInventories);
  if (!row) throw fail('host.not_found');
  return row;
}

export async function getHost(ctx: Context, which: HostRef): Promise<Host> {
  const row = await requireHost(ctx, which);
  const [host] = await withDetails(ctx.db, which.projectId, [row], which.ofInventories);
  if (!host) throw fail('host.not_found');
  return host;
}

/** The tasks in which a host was. A host that is first in a task that still runs has one already. */
export async function getHostTasks(
  ctx: Context,
  which: HostRef,
  { limit = usualLimit, before }: { limit?: number | undefined; before?: number | undefined },
): Promise<Page<HostTask>> {
  const { projectId, name } = which;
  const read = (count: number) => listHostTasks(ctx.db, projectId, name, { before, limit: count });
  const page = await readPage(limit, read);
  if (page.items.length === 0) await requireHost(ctx, which);
  return page;
}

/** Makes changes of the hosts of a project wait for each other until the end of the transaction. */
export const lockHosts = (ctx: Context, projectId: number): Promise<void> =>
  lockProject(ctx.db, projectId);

// Inventories of some kilobytes can name as many hosts as there is memory for. The list of hosts is for
// people; a host beyond it is listed when a task has been on it.
const MAX_HOSTS_PER_PROJECT = 50_000;

interface NamedIn {
  projectId: number;
  /** Null: it is not stored yet. */
  id: number | null;
}

async function roomFor(ctx: Context, inventory: NamedIn): Promise<number> {
  const others = await countInventoryHosts(ctx.db, inventory);
  return Math.max(0, MAX_HOSTS_PER_PROJECT - others);
}

/** Reads which hosts the text of an inventory names, before a transaction: a large one takes a second. */
export const hostsOf = async (
  ctx: Context,
  inventory: NamedIn & { type: string; inventory: string },
): Promise<InventoryHosts> =>
  readInventory(inventory.type, inventory.inventory, await roomFor(ctx, inventory));

/** Notes which hosts the text of an inventory names; in a transaction. */
export async function recordHosts(
  ctx: Context,
  inventory: { projectId: number; id: number },
  hosts: InventoryHosts,
): Promise<void> {
  // Others may have been added since these were read.
  const room = await roomFor(ctx, inventory);
  const fitting = hosts.size > room ? new Map([...hosts].slice(0, room)) : hosts;
  await updateInventoryHosts(ctx.db, inventory, fitting);
}

/** Deletes the hosts of a project that nothing names any more. */
export const forgetHosts = (ctx: Context, projectId: number): Promise<void> =>
  inTransaction(ctx, (inner) => removeUnknown(inner.db, projectId));

/** Notes which hosts were in a task that has ended, and what became of them. */
export const recordRun = (ctx: Context, task: { id: number; project_id: number }): Promise<void> =>
  addRun(ctx.db, task);

/**
 * Brings the hosts of a project and their facts up to date after tasks were deleted, in the same
 * transaction. The caller has locked the hosts before it deleted the tasks.
 */
export async function forgetRuns({ db }: Context, projectId: number): Promise<void> {
  await updateAfterDeletion(db, projectId);
  await removeUntold(db, projectId);
}
