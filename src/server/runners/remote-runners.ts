// Creates, registers and authenticates remote runners.

import {
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import type { PublicKey } from '#shared/api/runner-api.ts';
import type { NewRunner } from '#shared/api/runners.ts';
import type { Context } from '../context/context.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import { digest } from '../lib/digest.ts';
import { fail, failFields, fieldError } from '../lib/errors.ts';
import { inTransaction } from '../context/transaction.ts';
import {
  findByCredential,
  insertRemote,
  takeRegistration,
  updateRegistration,
  type NewCredential,
  type Registration,
} from './remote-runners.store.ts';
import { recordRunner, requireRunner, type RunnerRef } from './runners.ts';

const TOKEN_LIFETIME_MS = 60 * 60 * 1000;
const tokenPrefix = 'sbr_';
const credentialPrefix = 'sbc_';

const randomText = (prefix: string): string => prefix + randomBytes(32).toString('base64url');

/** The token is shown only once. */
export interface RegistrationToken {
  id: number;
  token: string;
  expires: string;
}

function newToken({ clock }: Context): { token: string; row: Registration } {
  const token = randomText(tokenPrefix);
  const expires = new Date(clock.now().getTime() + TOKEN_LIFETIME_MS).toISOString();
  return { token, row: { registration: digest(token), registration_expires: expires } };
}

/** Creates a runner that has yet to register, for one or (null) all projects. */
export function createRemote(
  ctx: Context,
  projectId: number | null,
  { name, tags, max_parallel_tasks: most, draining }: NewRunner,
): Promise<RegistrationToken> {
  const { token, row } = newToken(ctx);
  return inTransaction(ctx, async (inner) => {
    const id = await insertRemote(inner.db, {
      uid: randomUUID(),
      name,
      tags,
      project_id: projectId,
      most_tasks: most,
      draining,
      ...row,
    });
    await recordRunner(inner, { id, name, project_id: projectId }, 'runner.created');
    return { id, token, expires: row.registration_expires };
  });
}

/** The runner registers again; its previous credential is revoked by that. */
export function renewToken(ctx: Context, which: RunnerRef): Promise<RegistrationToken> {
  const { token, row } = newToken(ctx);
  return inTransaction(ctx, async (inner) => {
    const runner = await requireRunner(inner, which);
    if (!runner.remote) throw fail('runner.not_found');
    await updateRegistration(inner.db, runner.id, row);
    await recordRunner(inner, runner, 'runner.token_renewed');
    return { id: runner.id, token, expires: row.registration_expires };
  });
}

export type RegisterRunnerInput = Omit<NewCredential, 'credential'> & { token: string };

/** Low-order points of the curve produce a predictable shared secret. */
function canBeSealedTo(key: PublicKey): boolean {
  const { privateKey } = generateKeyPairSync('x25519');
  try {
    diffieHellman({ privateKey, publicKey: createPublicKey({ key, format: 'jwk' }) });
    return true;
  } catch {
    return false;
  }
}

export function enterRemote(
  ctx: Context,
  { token, public_key: key, ...values }: RegisterRunnerInput,
): Promise<{ runner_id: number; name: string; credential: string }> {
  if (!canBeSealedTo(key)) throw failFields(fieldError('public_key', 'field.invalid'));
  const credential = randomText(credentialPrefix);
  return inTransaction(ctx, async (inner) => {
    const found = await takeRegistration(
      inner.db,
      { registration: digest(token), now: ctx.clock.now().toISOString() },
      { ...values, credential: digest(credential), public_key: key },
    );
    if (!found) throw fail('runner.token_wrong');
    await recordRunner(inner, found, 'runner.registered');
    return { runner_id: found.id, name: found.name, credential };
  });
}

/** The runner with this credential. */
export async function findRemote(
  ctx: Context,
  text: string,
): Promise<(Omit<RunnerActor, 'isOwn'> & { id: number }) | null> {
  if (!text.startsWith(credentialPrefix)) return null;
  const found = await findByCredential(ctx.db, digest(text));
  if (!found?.public_key) return null;
  const { id, name, public_key: key } = found;
  return { id, name, publicKey: key };
}
