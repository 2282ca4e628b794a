// Changes of the second factor require the password, so that a stolen session does not suffice.

import type { SecondFactor } from '#shared/api/second-factor.ts';
import type { Context } from '../../context/context.ts';
import type { Actor } from '../../context/actor.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { endSessions, needsSecondFactor } from '../session/session.ts';
import { inTransaction } from '../../context/transaction.ts';
import { requirePassword } from '../identity/check-password.ts';
import { recordUser, requireUserOf } from '../users/users.ts';
import { newRecoveryCodes, newSecret, plainCode, recoveryHash, setupUri, stepOf } from './codes.ts';
import {
  confirmSecret,
  countRecoveryCodes,
  findFactor,
  removeFactor,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
  updateSecret,
  type FactorRow,
} from './second-factor.store.ts';

type FactorActor = Pick<Actor, 'userId' | 'admin' | 'sessionId' | 'byPassword'>;

export async function getSecondFactor(ctx: Context, actor: FactorActor): Promise<SecondFactor> {
  const factor = await ownFactor(ctx, actor);
  return {
    active: factor.second_factor_since !== null,
    required: actor.byPassword && needsSecondFactor(ctx.config, actor.admin),
    available: actor.byPassword,
    recovery_codes: await countRecoveryCodes(ctx.db, factor.id),
  };
}

async function ownFactor(ctx: Context, { userId }: FactorActor): Promise<FactorRow> {
  const factor = await findFactor(ctx.db, userId);
  if (!factor) throw fail('session.required');
  return factor;
}

async function ownActiveFactor(ctx: Context, actor: FactorActor, password: string) {
  const factor = await ownFactor(ctx, actor);
  if (factor.second_factor_since === null) throw fail('second_factor.not_active');
  await requirePassword(ctx, factor, password);
  return factor;
}

/** Replaces an unconfirmed secret. */
export async function startSecondFactor(
  ctx: Context,
  actor: FactorActor,
): Promise<{ secret: string; uri: string }> {
  if (!actor.byPassword) throw fail('second_factor.elsewhere');
  const { id, username } = await ownFactor(ctx, actor);
  const secret = newSecret();
  const sealed = ctx.vault.seal(secret, sealedColumns.secondFactor.at({ id }));
  const isStarted = await updateSecret(ctx.db, id, sealed);
  if (!isStarted) throw fail('second_factor.active');
  return { secret, uri: setupUri(secret, username) };
}

/** From now on the sign-in requires codes; returns the recovery codes. */
export async function confirmSecondFactor(
  ctx: Context,
  actor: FactorActor,
  { code, password }: { code: string; password: string },
): Promise<{ recovery_codes: string[] }> {
  const factor = await ownFactor(ctx, actor);
  if (factor.second_factor_since !== null) throw fail('second_factor.active');
  if (factor.second_factor_secret === null) throw fail('second_factor.not_started');
  await requirePassword(ctx, factor, password);
  const secret = ctx.vault.open(factor.second_factor_secret, sealedColumns.secondFactor.at(factor));
  const now = ctx.clock.now();
  const step = stepOf(secret, plainCode(code), now);
  if (step === null) throw failFields(fieldError('code', 'second_factor.code_wrong'));
  return inTransaction(ctx, async (inner) => {
    const times = { since: now.toISOString(), step };
    const isConfirmed = await confirmSecret(inner.db, factor, times);
    if (!isConfirmed) throw fail('second_factor.not_started');
    await endSessions(inner, factor.id, actor.sessionId);
    await recordUser(inner, 'user.second_factor_added', factor);
    return makeCodes(inner, factor.id);
  });
}

async function makeCodes(ctx: Context, userId: number): Promise<{ recovery_codes: string[] }> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => recoveryHash(userId, code));
  await replaceRecoveryCodes(ctx.db, userId, hashes);
  return { recovery_codes: codes };
}

export async function renewRecoveryCodes(
  ctx: Context,
  actor: FactorActor,
  { password }: { password: string },
): Promise<{ recovery_codes: string[] }> {
  const factor = await ownActiveFactor(ctx, actor, password);
  return inTransaction(ctx, async (inner) => {
    await recordUser(inner, 'user.recovery_codes_renewed', factor);
    return makeCodes(inner, factor.id);
  });
}

export async function removeOwnSecondFactor(
  ctx: Context,
  actor: FactorActor,
  { password }: { password: string },
): Promise<void> {
  const { id } = await ownActiveFactor(ctx, actor, password);
  await removeSecondFactor(ctx, id, actor.sessionId);
}

/** For administrators, who remove their own in the account, with their password. */
export async function removeSecondFactorOf(
  ctx: Context,
  actor: { userId: number },
  id: number,
): Promise<void> {
  await requireUserOf(ctx.db, id);
  if (actor.userId === id) throw fail('second_factor.own');
  await removeSecondFactor(ctx, id);
}

export async function removeSecondFactor(
  ctx: Context,
  id: number,
  keptSessionId: number | null = null,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const user = await requireUserOf(inner.db, id);
    if (!(await removeFactor(inner.db, id))) throw fail('second_factor.not_active');
    await endSessions(inner, id, keptSessionId);
    await recordUser(inner, 'user.second_factor_removed', user);
  });
}

/** Checks the code of a sign-in. Returns its kind; null when it is wrong or was used before. */
export async function acceptCode(
  ctx: Context,
  { id, second_factor_secret: sealed }: Pick<FactorRow, 'id' | 'second_factor_secret'>,
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
