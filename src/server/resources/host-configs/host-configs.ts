import type { HostConfig, NewHostConfig } from '#shared/api/host-configs.ts';
import { keyTypeFor, readHostConfig } from '#shared/git/host-config.ts';
import type { KeyByHost, OpenKey } from '../../../runner/api/run-secrets.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { checkAll, failFields, fieldError, Unusable } from '../../lib/errors.ts';
import { hasKey, openKey, requireKey } from '../keys/keys.ts';
import { checkReferences, resource, type Target } from '../resource.ts';
import { countHostConfigs, hostConfigStore } from './host-configs.store.ts';

const hostConfigs = resource(hostConfigStore, 'host_configs', 'host_config');
export const requireHostConfig = hostConfigs.require;
export const removeHostConfig = hostConfigs.remove;
export const listHostConfigs = hostConfigStore.list;

// A run starts an ssh-agent for each key.
const MAX_HOST_CONFIGS_PER_PROJECT = 50;

const toValues = ({ type, host, ssh_key_id }: NewHostConfig) => ({ type, name: host, ssh_key_id });

export function createHostConfig(
  ctx: Context,
  projectId: number,
  input: NewHostConfig,
): Promise<HostConfig> {
  return inTransaction(ctx, async (inner) => {
    await check(inner, projectId, input);
    if ((await countHostConfigs(inner.db, projectId)) >= MAX_HOST_CONFIGS_PER_PROJECT) {
      throw failFields(
        fieldError('host', 'host_config.too_many', { limit: MAX_HOST_CONFIGS_PER_PROJECT }),
      );
    }
    return hostConfigs.create(inner, projectId, toValues(input));
  });
}

export async function changeHostConfig(
  ctx: Context,
  target: Target,
  input: NewHostConfig,
): Promise<void> {
  const { name } = await requireHostConfig(ctx, target.projectId, target.id);
  await check(ctx, target.projectId, input, name);
  await hostConfigs.change(ctx, target, toValues(input));
}

/** `kept`: the stored host or prefix, which stays valid whatever the settings are. */
const check = (
  ctx: Context,
  projectId: number,
  input: NewHostConfig,
  kept?: string,
): Promise<void> =>
  checkAll([() => refuseHttp(ctx, input, kept), () => checkKey(ctx, projectId, input)]);

function refuseHttp({ config }: Context, { type, host }: NewHostConfig, kept?: string): void {
  const isPlain = readHostConfig(type, host)?.scheme === 'http';
  if (isPlain && !config.httpRepositories && host !== kept) {
    throw failFields(fieldError('host', 'host_config.url_incorrect'));
  }
}

/** The key must belong to the project and suit the address. */
async function checkKey(
  ctx: Context,
  projectId: number,
  { type, host, ssh_key_id: id }: NewHostConfig,
): Promise<void> {
  await checkReferences(ctx, projectId, { ssh_key_id: [id, hasKey] });
  const scope = readHostConfig(type, host);
  const wanted = scope && keyTypeFor(scope);
  const key = await requireKey(ctx, projectId, id);
  if (wanted === null || key.type === wanted) return;
  throw failFields(fieldError('ssh_key_id', `host_config.key_${wanted}`));
}

/** Includes the decrypted keys. */
export async function openHostConfigs(ctx: Context, projectId: number): Promise<KeyByHost[]> {
  const list = await listHostConfigs(ctx.db, projectId);
  const open = async ({ type, host, ssh_key_id: id }: HostConfig): Promise<KeyByHost> => ({
    type,
    host,
    key: await openUsable(ctx, projectId, id),
  });
  return Promise.all(list.map(open));
}

/** A key without a secret, as after a restore, affects only its host. */
async function openUsable(ctx: Context, projectId: number, id: number): Promise<OpenKey> {
  try {
    return await openKey(ctx, projectId, id);
  } catch (error) {
    if (error instanceof Unusable) return { type: 'none' };
    throw error;
  }
}
