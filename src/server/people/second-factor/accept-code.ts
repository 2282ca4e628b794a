// Checks the code of a sign-in after the password. Each code works once.

import type { Context } from '../../context/context.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { plainCode, recoveryHash, stepOf } from './codes.ts';
import { takeRecoveryCode, takeStep } from './second-factor.store.ts';

interface Factor {
  id: number;
  second_factor_secret: string | null;
}

/** Returns the kind of the code; null when it is wrong or was used before. */
export async function acceptCode(
  ctx: Context,
  { id, second_factor_secret: sealed }: Factor,
  typed: string,
): Promise<'one_time' | 'recovery' | null> {
  const code = plainCode(typed);
  if (!/^\d{6}$/.test(code)) {
    return (await takeRecoveryCode(ctx.db, id, recoveryHash(id, code))) ? 'recovery' : null;
  }
  const secret = ctx.vault.open(sealed ?? '', sealedColumns.secondFactor.at({ id }));
  const step = stepOf(secret, code, ctx.clock.now());
  return step !== null && (await takeStep(ctx.db, id, step)) ? 'one_time' : null;
}
