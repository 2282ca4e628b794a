import type { EmptyKey, Key, KeyFields } from '#shared/api/keys.ts';
import type { OpenKey } from '../../runner/secrets.ts';
import type { Context } from '../context.ts';
import { resource, type Target } from '../resource.ts';
import { findSealedSecret, keyStore, listNames } from './keys.store.ts';

const keys = resource(keyStore, 'keys', 'key');
export const requireKey = keys.require;
export const removeKey = keys.remove;
export const keyRefs = keys.refs;
export const hasKey = keyStore.exists;
export const listKeys = keyStore.list;

export const keyPurpose = (projectId: number): string => `key of project ${projectId}`;

export async function createKey(ctx: Context, projectId: number, input: KeyFields): Promise<Key> {
  const { name, type } = input;
  return keys.create(ctx, projectId, { name, type, secret: seal(ctx, projectId, input) });
}

/** A key whose secret is still to be given. */
export function createEmptyKey(ctx: Context, projectId: number, input: EmptyKey): Promise<Key> {
  return keys.create(ctx, projectId, { ...input, secret: null });
}

export async function changeKey(ctx: Context, target: Target, input: KeyFields): Promise<void> {
  const { name, type } = input;
  const secret = input.override_secret && { type, secret: seal(ctx, target.projectId, input) };
  await keys.change(ctx, target, { name, ...secret });
}

function seal(ctx: Context, projectId: number, input: KeyFields): string | null {
  if (input.type === 'none') return null;
  const secret = input.type === 'ssh' ? normalised(input.ssh) : input.login_password;
  return ctx.vault.seal(JSON.stringify(secret), keyPurpose(projectId));
}

// ssh-add refuses keys with CRLF or without a newline at the end.
function normalised(ssh: KeyFields['ssh']): KeyFields['ssh'] {
  return ssh && { ...ssh, private_key: `${ssh.private_key.replaceAll('\r\n', '\n').trim()}\n` };
}

/** What a task has been given, by name: keys without a secret are none. */
export async function namesOfKeys(
  ctx: Context,
  projectId: number,
  ids: number[],
): Promise<string[]> {
  return ids.length === 0 ? [] : listNames(ctx.db, projectId, ids);
}

/** Login and password of a key; null: it has no password. */
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
  if (sealed === null) throw new Error(`The key "${name}" has no secret yet. Give it one first.`);
  const secret: unknown = JSON.parse(ctx.vault.open(sealed, keyPurpose(projectId)));
  return { type, ...(secret as object) } as OpenKey;
}
