// Restricted objects: only those with a grant on them see them, and those who may give access to all objects.

import type { NewRestriction, Restriction } from '#shared/api/grants.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { record } from '../../events/events.ts';
import { holdProject } from '../members/members.ts';
import { refOf, requireGiving, type GrantGiver } from './grants.ts';
import { listRestrictions, setMode } from './restrictions.store.ts';

export { listRestrictions };

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
  { mode, ...object }: NewRestriction,
  giver: GrantGiver,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const ref = refOf(object);
    await holdProject(inner.db, projectId);
    const name = await requireGiving(inner, projectId, ref, giver);
    await setMode(inner.db, projectId, ref, mode);
    ctx.hub.publish('resource.changed', { projectId, noun: 'grants' });
    const code = `restriction.${mode}` as const;
    await record(inner, { code, projectId, object: { ...ref, name } });
  });
}
