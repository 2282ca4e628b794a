// Creation, registration and authentication of remote runners.

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
import { digest } from '../lib/digest.ts';
import { fail, failFields, fieldError } from '../lib/errors.ts';
import { recordRunnerEvent } from './runner-events.ts';
import { inTransaction } from '../context/transaction.ts';
import {
  findByCredential,
  insertRemote,
  takeRegistration,
  type Entry,
  type Registration,
} from './remote-runners.store.ts';
import { requireRunner, type RunnerRef } from './runners.ts';
import { updateRunner } from './runners.store.ts';

const TOKEN_VALID_MS = 60 * 60 * 1000;
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
  const expires = new Date(clock.now().getTime() + TOKEN_VALID_MS).toISOString();
  return { token, row: { registration: digest(token), registration_expires: expires } };
}

/** Creates a runner that has to register: for one project, or for all projects if it is null. */
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
    await recordRunnerEvent(inner, { id, name, project_id: projectId }, 'runner.created');
    return { id, token, expires: row.registration_expires };
  });
}

/** Creates a token with which the runner registers again. */
export function renewToken(ctx: Context, which: RunnerRef): Promise<RegistrationToken> {
  const { token, row } = newToken(ctx);
  return inTransaction(ctx, async (inner) => {
    const runner = await requireRunner(inner, which);
    if (!runner.remote) throw fail('runner.not_found');
    await updateRunner(inner.db, runner.id, row);
    await recordRunnerEvent(inner, runner, 'runner.token_renewed');
    return { id: runner.id, token, expires: row.registration_expires };
  });
}

/** Low-order points of the curve yield the same shared secret for everybody: refuse them. */
function canBeSealedTo(key: PublicKey): boolean {
  const { privateKey } = generateKeyPairSync('x25519');
  try {
    diffieHellman({ privateKey, publicKey: createPublicKey({ key, format: 'jwk' }) });
    return true;
  } catch {
    return false;
  }
}

/** Registers a runner, once for each token. */
export function enterRemote(
  ctx: Context,
  { token, public_key: key, ...values }: Omit<Entry, 'credential'> & { token: string },
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
    await recordRunnerEvent(inner, found, 'runner.registered');
    return { runner_id: found.id, name: found.name, credential };
  });
}

export interface RemoteRunner {
  id: number;
  name: string;
  publicKey: PublicKey;
}

export async function findRemote(ctx: Context, text: string): Promise<RemoteRunner | null> {
  if (!text.startsWith(credentialPrefix)) return null;
  const found = await findByCredential(ctx.db, digest(text));
  if (!found?.public_key) return null;
  const { id, name, public_key: key } = found;
  return { id, name, publicKey: key };
}
