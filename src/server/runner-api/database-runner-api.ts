// The runner API on the database.

import type { Context } from '../context/context.ts';
import { listSecretTimes, openSecrets } from '../resources/environments/environments.ts';
import { record } from '../events/events.ts';
import { listHostConfigs, openHostConfigs } from '../resources/host-configs/host-configs.ts';
import { listGivenKeys, openKey } from '../resources/keys/keys.ts';
import { recordOutputs } from '../automation/tasks/runs/record-outputs.ts';
import { recordPlan } from '../automation/tasks/task-plan.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import {
  beginStep,
  openAnswers,
  recordCommit,
  takeVersion,
} from '../automation/tasks/runs/runner-tasks.ts';
import { appendResults } from '../automation/tasks/results/result-chunks.store.ts';
import { updateTools, updateUsedSecrets } from '../automation/tasks/changes/inputs.store.ts';
import { updateFailures, upsertHosts } from '../automation/tasks/results/task-hosts.store.ts';
import { upsertSections } from '../automation/tasks/log/sections.store.ts';
import { recordFacts } from '../automation/tasks/runs/record-facts.ts';
import { recordProgress } from '../automation/tasks/runs/progress.ts';
import { markTime } from '../automation/tasks/runs/trace.ts';
import { filterExisting } from './filter-existing.ts';
import { shortPartial } from '../live/partials.ts';
import { appendLines } from '../automation/tasks/log/append-lines.ts';
import { findProgress, type UsedSecrets } from '../automation/tasks/rows/tasks.store.ts';
import { endTask, moveTask } from '../automation/tasks/tasks.ts';
import type { RunnerApi, HeldTask, NewLines } from '../../runner/api/runner-api.ts';
import type { OpenKey, OpenSecrets, RunKeys } from '../../runner/api/run-secrets.ts';

export function createDatabaseRunnerApi(ctx: Context): RunnerApi {
  return {
    openKeys: (task) => openKeys(ctx, task),
    recordKeys: (task) => recordKeys(ctx, task),
    async park(task, why) {
      const isParked = await moveTask(ctx, task, 'waiting_confirmation', why);
      // A task that waits for a confirmation occupies no slot.
      ctx.hub.publish('queue.changed', {});
      return isParked;
    },
    end: (task, { to, ...result }) => endTask(ctx, task, to, result),
    beginStep: (task, step) => beginStep(ctx, task, step),
    recordCommit: (task, commit) => recordCommit(ctx, task, commit),
    async recordTools(task, tools) {
      await updateTools(ctx.db, task, tools);
      await markTime(ctx, task, 'tools');
    },
    assignVersion: (task) => takeVersion(ctx, task),
    recordProgress: (task, progress, isDryRun) => recordProgress(ctx, task, progress, isDryRun),
    recordHosts: (task, hosts) => upsertHosts(ctx.db, task, hosts),
    recordFacts: (task, hosts) => recordFacts(ctx, task, hosts),
    recordFailures: (task, failures) => updateFailures(ctx.db, task, failures),
    storeResults: (task, from, results) => appendResults(ctx.db, task, from, results),
    recordSections: (task, sections) => upsertSections(ctx.db, task, sections),
    recordPlan: (task, plan) => recordPlan(ctx, task, plan),
    recordOutputs: (task, outputs) => recordOutputs(ctx, task, outputs),
    async sendPartialLine({ id: taskId, project_id: projectId }, { after, output }) {
      ctx.hub.publish('log.partial-line', {
        projectId,
        taskId,
        after,
        output: shortPartial(output),
      });
    },
    storeLines: (task, lines) => storeLines(ctx, task, lines),
    countLines: async ({ id }) => (await findProgress(ctx.db, id))?.lines ?? 0,
    filterExisting: (found) => filterExisting(ctx, found, null),
  };
}

const noKey: OpenKey = { type: 'none' };

async function openKeys(ctx: Context, task: RunnerTask): Promise<RunKeys> {
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
    answers: hasSecretAnswers === false ? {} : await openAnswers(ctx, task),
  };
}

/** The secrets of all environments. A later environment replaces what an earlier one has of a name. */
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

async function recordKeys(ctx: Context, task: RunnerTask): Promise<void> {
  const { repository, inventoryRepository, inventory, vaults, templateName } = task.snapshot;
  const ids = [
    repository.ssh_key_id,
    inventoryRepository?.ssh_key_id,
    inventory?.ssh_key_id,
    inventory?.become_key_id,
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
    object: { type: 'task', id: task.id, name: templateName },
    params: { task: task.id, keys: names.join(', ') },
  });
}

/** Records when the secrets of the run were set, so that later runs can tell which are other ones. */
async function recordUsedSecrets(
  ctx: Context,
  task: RunnerTask,
  keys: UsedSecrets['keys'],
): Promise<void> {
  const { environment, environments = environment ? [environment] : [] } = task.snapshot;
  const ids = environments.map(({ id }) => id);
  const variables = await listSecretTimes(ctx, task.project_id, ids);
  const used = { keys: keys.map(({ id, set }) => ({ id, set })), variables };
  await updateUsedSecrets(ctx.db, task, used);
}

async function storeLines(
  ctx: Context,
  task: HeldTask,
  { from, lines, spoolOffset }: NewLines,
): Promise<void> {
  await appendLines(ctx, task, from - 1, { lines, spoolOffset });
}
