// The limits of the grants by which alone somebody may launch something.

import {
  excessOf,
  excessOfHosts,
  excessText,
  type AskedLaunch,
  type Excess,
} from '#shared/grants/excess.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { Right } from '#shared/rights.ts';
import type { Context } from '../../../context/context.ts';
import { findObjectName } from '../../../db/rights/named-object.store.ts';
import type { LimitedGrant, ObjectRef, ObjectRights } from '../../../db/rights/object-rights.ts';
import { fail } from '../../../lib/errors.ts';
import type { TaskJson } from '../rows/tasks.store.ts';
import { splitLimit } from './split-limit.ts';

/** A launch of a template with an inventory. */
export interface Launch {
  templateId: number;
  inventoryId: number | null;
  asked: AskedLaunch;
}

interface LaunchedRow extends Pick<TaskJson, 'environment' | 'snapshot'> {
  template_id: number;
  inventory_id: number | null;
  arguments: string | null;
  created: string;
  retry_of?: number | null;
  rerun_of?: number | null;
}

const hasAny = (list: string | null): boolean =>
  list !== null && (JSON.parse(list || '[]') as unknown[]).length > 0;

/** What a task asks for, without the restriction of a re-run to some of its hosts. */
export function launchOf(row: LaunchedRow): Launch {
  const { snapshot, environment: answers } = row;
  return {
    templateId: row.template_id,
    inventoryId: row.inventory_id,
    asked: {
      tags: snapshot.tags.split(',').filter((tag) => tag !== ''),
      hosts: splitLimit(limitOf(snapshot)),
      branch: snapshot.branch,
      // What repeats a task runs the commit of that.
      hasCommit: snapshot.commit !== null && row.retry_of == null && row.rerun_of == null,
      hasArguments: hasAny(row.arguments),
      answers,
      dryRun: snapshot.dryRun,
      at: new Date(row.created),
    },
  };
}

const limitOf = ({ narrowed, limit }: TaskSnapshot): string => narrowed?.limit ?? limit;

interface Beyond {
  role: string;
  object: ObjectRef;
  allowed: Excess;
}

type Checked = { beyond: Beyond } | { needsSecond: boolean };

/** Whether one of the grants allows a launch by one of the rights. */
export function checkLimits(
  objects: ObjectRights,
  rights: Right[],
  { templateId, inventoryId, asked }: Launch,
): Checked {
  const template: ObjectRef = { type: 'template', id: templateId };
  const inventory: ObjectRef = { type: 'inventory', id: inventoryId ?? 0 };
  const grants = objects.limitedBy(rights, template);
  const beyond =
    beyondAll(objects.limitedBy(['inventory.use'], inventory), inventory, ({ limits }) =>
      excessOfHosts(limits, asked),
    ) ?? beyondAll(grants, template, ({ limits }) => excessOf(limits, asked));
  if (beyond) return { beyond };
  const fitting = grants?.filter(({ limits }) => excessOf(limits, asked) === null) ?? [];
  return { needsSecond: grants !== null && fitting.every(({ limits }) => limits.second_person) };
}

/** How a launch goes beyond the first of the grants; null: one of them allows it, or none is needed. */
function beyondAll(
  grants: LimitedGrant[] | null,
  object: ObjectRef,
  excess: (grant: LimitedGrant) => Excess | null,
): Beyond | null {
  const [first] = grants ?? [];
  const allowed = first ? excess(first) : null;
  if (!first || !allowed || grants?.some((grant) => excess(grant) === null)) return null;
  return { role: first.roleName, object, allowed };
}

/** The parameters of a sentence that names the grant and what it allows. */
export async function wordsOfBeyond(
  { db }: Pick<Context, 'db'>,
  projectId: number,
  { role, object, allowed }: Beyond,
) {
  const name = await findObjectName(db, projectId, object);
  return { ...allowed, role, object: name ?? '', allowed: excessText(allowed) };
}

/** Refuses a launch of the caller beyond the limits of their grants. */
export async function requireWithinLimits(
  ctx: Context,
  projectId: number,
  { rights, launch }: { rights: Right[]; launch: Launch },
): Promise<void> {
  const objects = await ctx.by.objects?.();
  if (!objects) return;
  const checked = checkLimits(objects, rights, launch);
  if (!('beyond' in checked)) return;
  throw fail('grant.beyond', await wordsOfBeyond(ctx, projectId, checked.beyond));
}
