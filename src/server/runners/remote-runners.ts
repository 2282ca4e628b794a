// Creates, registers and authenticates remote runners.

import { randomBytes, randomUUID } from 'node:crypto';
import type { NewRunner } from '#shared/api/runners.ts';
import type { Context } from '../context/context.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import { canBeSealedTo } from '../../node/crypto/seal.ts';
import { digest } from '../lib/digest.ts';
import { fail, failFields, fieldError } from '../lib/errors.ts';
import { inTransaction } from '../context/transaction.ts';
import {
  findByCredential,
  findCredential,
  insertRemote,
  takeRegistration,
  updateRegistration,
  type NewCredential,
  type Registration,
} from './remote-runners.store.ts';
import { recordRunner, requireRunner, type RunnerRef } from './runners.ts';
import { readTaskCredential, toTaskCredential } from './task-credentials.ts';

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

/** The runner with this credential, or the one whose task it is for. */
export async function findRemote(ctx: Context, text: string): Promise<RunnerActor | null> {
  if (text.startsWith(credentialPrefix)) return findRunner(ctx, digest(text));
  const given = readTaskCredential(ctx, text);
  const runner = given && (await findRunner(ctx, given.runner));
  return runner && { ...runner, task: given.task };
}

async function findRunner({ db }: Context, credential: string): Promise<RunnerActor | null> {
  const found = await findByCredential(db, credential);
  if (!found?.public_key) return null;
  const { id, name, public_key: key } = found;
  return { id, name, publicKey: key, isOwn: false };
}

/** A credential for this task only, until the lease or the credential of the runner is void. */
export async function delegateTask(
  ctx: Context,
  runner: RunnerActor,
  { id, lease }: { id: number; lease: number },
): Promise<string> {
  const own = runner.id === null ? null : await findCredential(ctx.db, runner.id);
  // The runner beside a server has none that is stored.
  if (own === null) throw fail('runner.credential');
  return toTaskCredential(ctx, { runner: own, task: { id, lease } });
}
