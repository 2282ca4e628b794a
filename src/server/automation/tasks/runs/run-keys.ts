// The keys and secrets that a run uses.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { OpenKey, OpenSecrets, RunKeys } from '../../../../runner/api/run-secrets.ts';
import type { Context } from '../../../context/context.ts';
import { record } from '../../../events/events.ts';
import { listSecretTimes, openSecrets } from '../../../resources/environments/environments.ts';
import { registryKeyOf } from '../../../resources/execution-environments/execution-environments.ts';
import { listHostConfigs, openHostConfigs } from '../../../resources/host-configs/host-configs.ts';
import { listGivenKeys, openKey } from '../../../resources/keys/keys.ts';
import { updateRunReport, type UsedSecrets } from '../rows/tasks.store.ts';
import { openAnswers } from './runner-tasks.ts';

const noKey: OpenKey = { type: 'none' };

/** Opens all secrets of a run, with their current values. */
export async function openRunKeys(ctx: Context, task: RunnerTask): Promise<RunKeys> {
  const { repository, inventoryRepository, inventory, vaults, hasSecretAnswers } = task.snapshot;
  const open = (id: number | null | undefined): Promise<OpenKey> =>
    id == null ? Promise.resolve(noKey) : openKey(ctx, task.project_id, id);
  return {
    repository: await open(repository.ssh_key_id),
    inventoryRepository: await open(inventoryRepository?.ssh_key_id),
    byHost: await openHostConfigs(ctx, task.project_id),
    user: await open(inventory?.ssh_key_id),
    become: await open(inventory?.become_key_id),
    vaults: await Promise.all(vaults.map(({ keyId }) => open(keyId))),
    environment: await openEnvironments(ctx, task),
    registry: await open(registryKeyOf(task.snapshot)),
    answers: hasSecretAnswers === false ? {} : await openAnswers(ctx, task),
  };
}

/** The secrets of all environments; later environments override names of earlier ones. */
async function openEnvironments(ctx: Context, { project_id, snapshot }: RunnerTask) {
  const { environment, environments = environment ? [environment] : [] } = snapshot;
  let all: OpenSecrets = { variables: {}, process: {} };
  for (const { id, json, env } of environments) {
    const own = await openSecrets(ctx, project_id, id);
    all = {
      variables: { ...without(all.variables, JSON.parse(json)), ...own.variables },
      process: { ...without(all.process, JSON.parse(env)), ...own.process },
    };
  }
  return all;
}

const without = (secrets: Record<string, string>, replaced: object): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).filter(([name]) => !Object.hasOwn(replaced, name)));

export async function recordUsedKeys(ctx: Context, task: RunnerTask): Promise<void> {
  const { snapshot } = task;
  const { repository, inventoryRepository, inventory, vaults } = snapshot;
  const ids = [
    repository.ssh_key_id,
    inventoryRepository?.ssh_key_id,
    inventory?.ssh_key_id,
    inventory?.become_key_id,
    registryKeyOf(snapshot),
    ...vaults.map(({ keyId }) => keyId),
  ];
  const byHost = await listHostConfigs(ctx.db, task.project_id);
  const all = [...ids, ...byHost.map(({ ssh_key_id }) => ssh_key_id)];
  const given = [...new Set(all.filter((id) => id != null))];
  const keys = await listGivenKeys(ctx, task.project_id, given);
  await recordUsedSecrets(ctx, task, keys);
  const names = keys.filter(({ type }) => type !== 'none').map(({ name }) => name);
  if (names.length === 0) return;
  await record(ctx, {
    code: 'task.keys_used',
    projectId: task.project_id,
    object: { type: 'task', id: task.id, name: snapshot.templateName },
    params: { task: task.id, keys: names.join(', ') },
  });
}

/** Records when the secrets of the run were set, to compare them with those of later runs. */
async function recordUsedSecrets(
  ctx: Context,
  task: RunnerTask,
  keys: UsedSecrets['keys'],
): Promise<void> {
  const { environment, environments = environment ? [environment] : [] } = task.snapshot;
  const ids = environments.map(({ id }) => id);
  const variables = await listSecretTimes(ctx, task.project_id, ids);
  const used = { keys: keys.map(({ id, set }) => ({ id, set })), variables };
  await updateRunReport(ctx.db, task, { used_secrets: used });
}
