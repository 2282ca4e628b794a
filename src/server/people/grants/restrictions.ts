// Restricted objects: only those with a grant on them see them, and those who may give access to all objects.

import type { Restriction, RestrictionMode } from '#shared/api/grants.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import type { ObjectRef } from '../../db/rights/object-rights.ts';
import { record } from '../../events/events.ts';
import { holdProject } from '../members/members.ts';
import { requireGiving, type GrantGiver } from './grants.ts';
import { listRestrictions, setMode } from './restrictions.store.ts';

/** Those of which the reader may know. */
export async function getRestrictions(
  ctx: Context,
  projectId: number,
  { objects }: GrantGiver,
): Promise<Restriction[]> {
  const all = await listRestrictions(ctx.db, projectId);
  return all
    .map(({ type, id, name, mode }) => ({
      object_type: type,
      object_id: id,
      object_name: name,
      mode,
      seen: !objects || objects.sees({ type, id }),
    }))
    .filter(({ seen, mode }) => seen || mode === 'named');
}

export async function restrict(
  ctx: Context,
  projectId: number,
  { object, mode }: { object: ObjectRef; mode: RestrictionMode },
  giver: GrantGiver,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    await holdProject(inner.db, projectId);
    const name = await requireGiving(inner, projectId, object, giver);
    await setMode(inner.db, projectId, object, mode);
    ctx.hub.publish('resource.changed', { projectId, noun: 'grants' });
    const code = `restriction.${mode}` as const;
    await record(inner, { code, projectId, object: { ...object, name } });
  });
}
