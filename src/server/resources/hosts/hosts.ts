import type { Host, HostTask } from '#shared/api/hosts.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { fail } from '../../lib/errors.ts';
import { readPage, type Page } from '../../lib/page.ts';
import { type InventoryHosts, readInventory } from '../../db/host-names/static-inventory.ts';
import { removeUnreferencedSets } from './host-facts.store.ts';
import {
  addRun,
  countInventoryHosts,
  lockProject,
  removeUnreferencedHosts,
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

const DEFAULT_PAGE_SIZE = 100;

export async function getHosts(
  ctx: Context,
  projectId: number,
  { limit = DEFAULT_PAGE_SIZE, ...filter }: HostFilter & { limit?: number | undefined },
): Promise<Page<Host>> {
  const read = (count: number) => listHostRows(ctx.db, projectId, filter, count);
  const { items, next } = await readPage(limit, read);
  return { items: await withDetails(ctx.db, projectId, items, filter.ofInventories), next };
}

export interface HostRef extends Pick<HostFilter, 'ofInventories'> {
  projectId: number;
  name: string;
}

/** Refuses if the project has no such host that the caller may see. */
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

/** A host that is first in a running task has a task before its own row. */
export async function getHostTasks(
  ctx: Context,
  which: HostRef,
  {
    limit = DEFAULT_PAGE_SIZE,
    before,
  }: { limit?: number | undefined; before?: number | undefined },
): Promise<Page<HostTask>> {
  const { projectId, name } = which;
  const read = (count: number) => listHostTasks(ctx.db, projectId, name, { before, limit: count });
  const page = await readPage(limit, read);
  if (page.items.length === 0) await requireHost(ctx, which);
  return page;
}

/** Serialises changes of hosts until the end of the transaction. */
export const lockHosts = (ctx: Context, projectId: number): Promise<void> =>
  lockProject(ctx.db, projectId);

// A small inventory can expand to a huge number of hosts; others are listed once a task ran on them.
const MAX_HOSTS_PER_PROJECT = 50_000;

interface InventoryRef {
  projectId: number;
  /** Null for a new inventory. */
  id: number | null;
}

async function remainingHosts(ctx: Context, inventory: InventoryRef): Promise<number> {
  const others = await countInventoryHosts(ctx.db, inventory);
  return Math.max(0, MAX_HOSTS_PER_PROJECT - others);
}

/** Parses the hosts of an inventory, outside a transaction: a large one takes a second. */
export const hostsOf = async (
  ctx: Context,
  inventory: InventoryRef & { type: string; inventory: string },
): Promise<InventoryHosts> =>
  readInventory(inventory.type, inventory.inventory, await remainingHosts(ctx, inventory));

/** Stores the hosts of an inventory; in a transaction. */
export async function recordHosts(
  ctx: Context,
  inventory: { projectId: number; id: number },
  hosts: InventoryHosts,
): Promise<void> {
  // Hosts may have been added since parsing.
  const limit = await remainingHosts(ctx, inventory);
  const fitting = hosts.size > limit ? new Map([...hosts].slice(0, limit)) : hosts;
  await updateInventoryHosts(ctx.db, inventory, fitting);
}

export const forgetHosts = (ctx: Context, projectId: number): Promise<void> =>
  inTransaction(ctx, (inner) => removeUnreferencedHosts(inner.db, projectId));

/** Stores the hosts of a finished task with their outcomes. */
export const recordRun = (ctx: Context, task: { id: number; project_id: number }): Promise<void> =>
  addRun(ctx.db, task);

/** After a deletion of tasks, before which the caller has locked the hosts; in the same transaction. */
export async function forgetRuns({ db }: Context, projectId: number): Promise<void> {
  await updateAfterDeletion(db, projectId);
  await removeUnreferencedSets(db, projectId);
}
