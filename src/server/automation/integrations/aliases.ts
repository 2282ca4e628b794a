// The addresses of integrations. Knowing an address is enough to send requests to it, so its random part
// is treated as a secret: found by its hash, and stored sealed so that it can be shown again.

import { randomInt } from 'node:crypto';
import type { Alias } from '#shared/api/integrations.ts';
import type { Context } from '../../context/context.ts';
import { refusing } from '../../db/conflict.ts';
import { digest } from '../../lib/digest.ts';
import { fail } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { sealInto } from '../../vault/sealed-texts.ts';
import { requireProject } from '../../projects/projects.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  deleteAlias,
  findOwner,
  insertAlias,
  listSealed,
  type AliasOwner,
  type SealedAlias,
} from './integrations.store.ts';
import { requireIntegration } from './integrations.ts';

// 26 random characters have 134 bits.
const length = 26;
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

const newAlias = (): string =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');

const urlOf = (base: string, alias: string): string => `${base}/api/integrations/${alias}`;

/** The owner of addresses; refuses an integration that does not belong to the project. */
function requireOwner(
  ctx: Context,
  { projectId, integrationId }: AliasOwner,
): Promise<{ name: string }> {
  return integrationId === null
    ? requireProject(ctx.db, projectId)
    : requireIntegration(ctx, projectId, integrationId);
}

/** Records an event about an address by its id, because the address is a secret. */
async function recordAlias(
  ctx: Context,
  verb: 'created' | 'deleted',
  { projectId, id, name }: { projectId: number; id: number; name: string },
): Promise<void> {
  const object = { type: 'integrationalias', id, name } as const;
  await record(ctx, { code: `alias.${verb}`, projectId, object });
  ctx.hub.publish('resource.changed', { projectId, noun: 'integrations' });
}

/** The addresses of an owner; `base` is the address of this server. */
export async function listAliases(ctx: Context, owner: AliasOwner, base: string): Promise<Alias[]> {
  await requireOwner(ctx, owner);
  const sealed = await listSealed(ctx.db, owner);
  return sealed.map((one) => ({ id: one.id, url: urlOf(base, open(ctx, owner, one)) }));
}

export function createAlias(ctx: Context, owner: AliasOwner, base: string): Promise<Alias> {
  return insert(ctx, owner, newAlias(), base);
}

/** The random parts of the addresses, for a backup. */
export async function revealAliases(ctx: Context, owner: AliasOwner): Promise<string[]> {
  const sealed = await listSealed(ctx.db, owner);
  return sealed.map((one) => open(ctx, owner, one));
}

function open({ vault }: Context, { projectId }: AliasOwner, { id, alias }: SealedAlias): string {
  return vault.open(alias, sealedColumns.alias.at({ id, project_id: projectId }));
}

/** Adds an address from a backup, or a new one if it is already in use. */
export async function restoreAlias(
  ctx: Context,
  owner: AliasOwner,
  alias: string,
  base: string,
): Promise<Alias & { isReplaced: boolean }> {
  const isReplaced = (await ownerOf(ctx, alias)) !== null;
  const restored = await insert(ctx, owner, isReplaced ? newAlias() : alias, base);
  return { ...restored, isReplaced };
}

// The text is sealed as soon as the row has the id that the text is bound to.
const notSealed = '';

async function insert(
  ctx: Context,
  owner: AliasOwner,
  alias: string,
  base: string,
): Promise<Alias> {
  const { projectId, integrationId } = owner;
  return inTransaction(ctx, async (inner) => {
    const { name } = await requireOwner(inner, owner);
    const row = {
      project_id: projectId,
      integration_id: integrationId,
      alias_hash: digest(alias),
      alias: notSealed,
    };
    const refusals = {
      'foreign-key': () => fail('integration.not_found'),
      // Another request has added the same address at this moment.
      unique: () => fail('request.stale'),
    };
    const id = await refusing(insertAlias(inner.db, row), refusals);
    await sealInto(inner, sealedColumns.alias, { id, project_id: projectId }, alias);
    await recordAlias(inner, 'created', { projectId, id, name });
    return { id, url: urlOf(base, alias) };
  });
}

export async function removeAlias(ctx: Context, owner: AliasOwner, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { name } = await requireOwner(inner, owner);
    if (!(await deleteAlias(inner.db, owner, id))) throw fail('alias.not_found');
    await recordAlias(inner, 'deleted', { projectId: owner.projectId, id, name });
  });
}

export function ownerOf(ctx: Context, alias: string): Promise<AliasOwner | null> {
  return findOwner(ctx.db, digest(alias));
}
