// Applies group rules to administrators; manual rights stay.

import { AppError } from '../../lib/errors.ts';
import type { Context } from '../../context/context.ts';
import { holdAsReplaceable, holdUser, recordUser } from './users.ts';
import { findAdminMarks, setAdminByRules } from './users.store.ts';

/** Runs in the caller's transaction. The last administrator stays; rights are removed only if `mayRemove`. */
export async function syncAdministrator(
  ctx: Context,
  user: { id: number; username: string },
  { isWanted, mayRemove }: { isWanted: boolean; mayRemove: boolean },
): Promise<void> {
  await holdUser(ctx.db, user.id);
  const { isAdmin, isFromRules } = await findAdminMarks(ctx.db, user.id);
  if (isWanted && !isAdmin) {
    await setAdminByRules(ctx.db, user.id, true);
    await recordUser(ctx, 'user.promoted', user);
  }
  if (isWanted || !mayRemove || !isAdmin || !isFromRules) return;
  if (!(await isReplaceable(ctx, user.id))) {
    ctx.log.warn(`${user.username} stays an administrator: there is no other`);
    return;
  }
  await setAdminByRules(ctx.db, user.id, false);
  await recordUser(ctx, 'user.demoted', user);
}

async function isReplaceable(ctx: Context, id: number): Promise<boolean> {
  try {
    await holdAsReplaceable(ctx.db, id);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'user.last_admin') return false;
    throw error;
  }
}
