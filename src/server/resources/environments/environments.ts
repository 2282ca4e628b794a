import type { Environment, EnvironmentSecret, NewEnvironment } from '#shared/api/environments.ts';
import { firstOf } from '#shared/holders.ts';
import type { Rights } from '#shared/rights.ts';
import type { OpenSecrets } from '../../../runner/api/run-secrets.ts';
import type { Context } from '../../context/context.ts';
import { Unusable } from '../../lib/errors.ts';
import type { Versioned } from '../../db/resource.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { sealInto } from '../../vault/sealed-texts.ts';
import { resource, type Target } from '../resource.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  environmentStore,
  listSecrets,
  replaceSecrets,
  type SealedSecret,
} from './environments.store.ts';
import { planSecrets, type WrittenSecret } from './secret-changes.ts';

const environments = resource(environmentStore, 'environments', 'environment');
export const requireEnvironment = environments.require;
export const removeEnvironment = environments.remove;
export const environmentRefs = environments.refs;
export const hasEnvironment = environmentStore.exists;
export const listEnvironments = environmentStore.list;

/** Includes the names of the secrets. */
export async function getEnvironment(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<Versioned<Environment>> {
  const environment = await environments.require(ctx, projectId, id);
  const secrets = await listSecrets(ctx.db, projectId, id);
  return { ...environment, secrets: secrets.map(withoutValue) };
}

const withoutValue = ({ id, type, name, secret }: SealedSecret): EnvironmentSecret => ({
  id,
  type,
  name,
  empty: secret === NO_VALUE,
  secret: '',
  operation: '',
});

export function createEnvironment(
  ctx: Context,
  projectId: number,
  { secrets, ...values }: NewEnvironment,
): Promise<Environment> {
  return inTransaction(ctx, async (inner) => {
    const { id } = await environments.create(inner, projectId, values);
    await saveSecrets(inner, { projectId, id }, secrets);
    return getEnvironment(inner, projectId, id);
  });
}

/** Creates secrets whose values are still missing. */
export function createUnfilledEnvironment(
  ctx: Context,
  projectId: number,
  { secrets, ...values }: NewEnvironment,
): Promise<Environment> {
  return inTransaction(ctx, async (inner) => {
    const { id } = await environments.create(inner, projectId, values);
    // Only types and names are checked; the value is a placeholder.
    const { written } = planSecrets(
      [],
      secrets.map((secret) => ({ ...secret, operation: 'create', secret: 'any' })),
    );
    const rows = written.map(({ type, name }) => ({
      type,
      name,
      secret: NO_VALUE,
      secret_set: null,
    }));
    await replaceSecrets(inner.db, { project_id: projectId, environment_id: id }, [], rows);
    return getEnvironment(inner, projectId, id);
  });
}

export function changeEnvironment(
  ctx: Context,
  target: Target,
  { secrets, ...values }: NewEnvironment,
): Promise<void> {
  return inTransaction(ctx, async (inner) => {
    // The update locks the row against concurrent changes of the secrets.
    await environments.change(inner, target, values);
    await saveSecrets(inner, target, secrets);
  });
}

// Stored in place of a sealed value.
const NO_VALUE = '';

type EnvironmentRef = Pick<Target, 'projectId' | 'id'>;

const secretsIn = ({ projectId, id }: EnvironmentRef) => ({
  project_id: projectId,
  environment_id: id,
});

async function saveSecrets(
  ctx: Context,
  environment: EnvironmentRef,
  changes: NewEnvironment['secrets'],
): Promise<void> {
  if (changes.length === 0) return;
  const known = await listSecrets(ctx.db, environment.projectId, environment.id);
  const { removed, written } = planSecrets(known, changes);
  const now = ctx.clock.now().toISOString();
  const kept = ({ id, value }: WrittenSecret) =>
    value === '' ? known.find((one) => one.id === id) : undefined;
  const rows = written.map((secret) => ({
    ...(secret.id !== null && { id: secret.id }),
    type: secret.type,
    name: secret.name,
    secret: kept(secret)?.secret ?? NO_VALUE,
    secret_set: secret.value === '' ? (kept(secret)?.secret_set ?? null) : now,
  }));
  const ids = await replaceSecrets(ctx.db, secretsIn(environment), removed, rows);
  for (const [index, { value }] of written.entries()) {
    const row = { ...secretsIn(environment), id: ids[index] ?? 0 };
    if (value !== '') await sealInto(ctx, sealedColumns.environmentSecret, row, value);
  }
}

/** Decrypts the secrets by name; for the runner only. */
export async function openSecrets(
  ctx: Context,
  projectId: number,
  id: number,
): Promise<OpenSecrets> {
  // The run must not start without them if the environment was deleted.
  const { name: environment } = await environments.require(ctx, projectId, id);
  const sealed = await listSecrets(ctx.db, projectId, id);
  const empty = sealed.filter(({ secret }) => secret === NO_VALUE).map(({ name }) => name);
  if (empty.length > 0) {
    const names = firstOf(empty);
    throw new Unusable(`Secrets of the environment "${environment}" have no value yet: ${names}.`);
  }
  const openOne = (secret: SealedSecret): string => {
    const row = { ...secretsIn({ projectId, id }), id: secret.id };
    return ctx.vault.open(secret.secret, sealedColumns.environmentSecret.at(row));
  };
  const open = (type: SealedSecret['type']): Record<string, string> =>
    Object.fromEntries(
      sealed
        .filter((secret) => secret.type === type)
        .map((secret) => [secret.name, openOne(secret)]),
    );
  return { variables: open('var'), process: open('env') };
}

/** Names of secrets, and when their values were set. */
export async function listSecretTimes(
  ctx: Context,
  projectId: number,
  ids: number[],
): Promise<{ environment: number; name: string; set: string | null }[]> {
  const all = await Promise.all(
    ids.map(async (environment) => {
      const secrets = await listSecrets(ctx.db, projectId, environment);
      return secrets.map(({ name, secret_set: set }) => ({ environment, name, set }));
    }),
  );
  return all.flat();
}

/** Without the right, the content is hidden. */
export function shownEnvironment<T extends Environment>(environment: T, rights: Rights): T {
  const isShown = rights.has('environment.read');
  return isShown ? environment : { ...environment, json: '{}', env: '{}' };
}
