// What a view shows is given and restricted with the view. So whoever moves something into or out of such a view gives
// access to it.

import { rightsAbout } from '#shared/grants/granted-types.ts';
import type { Context } from '../../context/context.ts';
import type { ObjectRef, ObjectRights } from '../../db/rights/object-rights.ts';
import { lacksRight } from '../../lib/errors.ts';
import { requireRights, type Giver } from '../roles/roles.ts';
import { findViewAccess } from './grants.store.ts';

/** Who moves it. `objects`: null: what `rights` says, on each object. */
export interface Mover extends Giver {
  objects: (() => Promise<ObjectRights>) | null;
}

interface Move {
  object: ObjectRef;
  /** The views; null: none. */
  from: number | null;
  to: number | null;
}

/** Throws when the mover may not give the access that the move gives or takes away. */
export async function requireMove(
  { db, hub }: Context,
  { object, from, to }: Move,
  { rights, objects }: Mover,
): Promise<void> {
  if (from === to) return;
  const access = await findViewAccess(db, [from, to]);
  if (access.length === 0) return;
  const own = (await objects?.())?.on(object) ?? rights;
  if (!own.has('grant.edit')) throw lacksRight('grant.edit');
  const given = access.filter(({ viewId }) => viewId === to).flatMap((one) => [...one.rights]);
  requireRights({ rights: own }, rightsAbout(object.type, new Set(given)));
  hub.publish('permission.changed', { userId: null });
}

/** Throws when the view may not be deleted, which opens what it shows. */
export async function requireRemoval(
  { db, hub }: Context,
  viewId: number,
  { rights }: Giver,
): Promise<void> {
  const access = await findViewAccess(db, [viewId]);
  if (access.length === 0) return;
  if (!rights.has('grant.edit')) throw lacksRight('grant.edit');
  hub.publish('permission.changed', { userId: null });
}
