import type { EmptyKey, Key, KeyFields } from '#shared/api/keys.ts';
import type { OpenKey } from '../../../runner/api/run-secrets.ts';
import type { Context } from '../../context/context.ts';
import { Unusable } from '../../lib/errors.ts';
import { resource, type Target } from '../resource.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  findNone,
  findSealedSecret,
  keyStore,
  listKeyTimes,
  type KeyWithTime,
} from './keys.store.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { sealInto } from '../../vault/sealed-texts.ts';

const keys = resource(keyStore, 'keys', 'key');
export const requireKey = keys.require;
export const removeKey = keys.remove;
export const keyRefs = keys.refs;
export const hasKey = keyStore.exists;
export const listKeys = keyStore.list;

const placeOf = (projectId: number, id: number) =>
  sealedColumns.keySecret.at({ project_id: projectId, id });

export function createKey(ctx: Context, projectId: number, input: KeyFields): Promise<Key> {
  const { name, type } = input;
  return inTransaction(ctx, async (inner) => {
    const secret = secretText(input);
    const secret_set = secret === null ? null : nowOf(ctx);
    const { id } = await keys.create(inner, projectId, { name, type, secret: null, secret_set });
    if (secret !== null) {
      await sealInto(inner, sealedColumns.keySecret, { project_id: projectId, id }, secret);
    }
    return keys.require(inner, projectId, id);
  });
}

/** Clients create a key "None" unconditionally; a project keeps one. */
export async function createKeyOnce(
  ctx: Context,
  projectId: number,
  input: KeyFields,
): Promise<Key> {
  const id = isNone(input) ? await findNone(ctx.db, projectId, input.name) : null;
  return id === null ? createKey(ctx, projectId, input) : keys.require(ctx, projectId, id);
}

/** The name of the key that each project begins with. */
export const nameOfNone = 'None';

const isNone = ({ name, type }: KeyFields): boolean => type === 'none' && name === nameOfNone;

export function createEmptyKey(ctx: Context, projectId: number, input: EmptyKey): Promise<Key> {
  return keys.create(ctx, projectId, { ...input, secret: null });
}

export async function changeKey(ctx: Context, target: Target, input: KeyFields): Promise<void> {
  const { name } = input;
  await keys.change(ctx, target, {
    name,
    ...(input.override_secret && newSecret(ctx, target, input)),
  });
}

function newSecret(ctx: Context, { projectId, id }: Target, input: KeyFields) {
  const text = secretText(input);
  const secret = text === null ? null : ctx.vault.seal(text, placeOf(projectId, id));
  return { type: input.type, secret, secret_set: nowOf(ctx) };
}

const nowOf = (ctx: Context): string => ctx.clock.now().toISOString();

/** Null for the type `none`. */
function secretText({ type, ssh, login_password }: KeyFields): string | null {
  if (type === 'none') return null;
  return JSON.stringify(type === 'ssh' ? ssh : login_password);
}

export const listGivenKeys = (
  ctx: Context,
  projectId: number,
  ids: number[],
): Promise<KeyWithTime[]> =>
  ids.length === 0 ? Promise.resolve([]) : listKeyTimes(ctx.db, projectId, ids);

/** Null if the key has no password. */
export async function openLogin(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<{ login: string; password: string } | null> {
  const { type, empty } = await requireKey(ctx, projectId, id);
  if (type !== 'login_password' || empty) return null;
  const key = await openKey(ctx, projectId, id);
  return key.type === 'login_password' && key.password !== '' ? key : null;
}

export async function openKey(ctx: Context, projectId: number, id: number): Promise<OpenKey> {
  const { type, name } = await requireKey(ctx, projectId, id);
  if (type === 'none') return { type };
  const sealed = await findSealedSecret(ctx.db, projectId, id);
  if (sealed === null)
    throw new Unusable(`The key "${name}" has no secret yet. Give it one first.`);
  const secret: unknown = JSON.parse(ctx.vault.open(sealed, placeOf(projectId, id)));
  return { type, ...(secret as object) } as OpenKey;
}
