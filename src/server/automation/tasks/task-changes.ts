// Compares a task with the last successful one before it.

import type { TaskChange, TaskChanges } from '#shared/api/task-changes.ts';
import { seenBy, type Context } from '../../context/context.ts';
import type { Row } from '../../db/tables.ts';
import { listEnvironments, listSecretTimes } from '../../resources/environments/environments.ts';
import { listGivenKeys } from '../../resources/keys/keys.ts';
import { fromStored, withAddresses } from '../../resources/repositories/stored-address.ts';
import { requireTemplate } from '../templates/templates.ts';
import { changedCommits, type FindCommits } from './changes/changed-commits.ts';
import { changedInventory } from './changes/changed-inventory.ts';
import { changedKeys, changedSecrets, keyIdsOf } from './changes/changed-keys.ts';
import {
  changedSettings,
  changedTools,
  changedVariables,
  changeOf,
  variablesOf,
  type Pair,
  rankChanges,
} from './changes/compare.ts';
import { findLastSuccess, listLaunchers } from './changes/inputs.store.ts';
import { environmentIds, shownTo, type ChangesReader } from './changes/shown-changes.ts';
import { findFailures } from './results/task-hosts.store.ts';
import { findRow, toPlainRow, type UsedSecrets } from './rows/tasks.store.ts';
import { requireTask } from './tasks.ts';

interface TaskChangesRequest {
  projectId: number;
  taskId: number;
  reader: ChangesReader;
}

type ComparedRun = ReturnType<typeof toPlainRow>;

function toComparedRun({ config }: Context, stored: Row<'tasks'>): ComparedRun {
  const row = toPlainRow(stored);
  const snapshot = withAddresses(row.snapshot, (url) => fromStored(config, url));
  return { ...row, snapshot };
}

const MAX_CHANGES = 500;

export async function getChanges(
  ctx: Context,
  findCommits: FindCommits,
  { projectId, taskId, reader }: TaskChangesRequest,
): Promise<TaskChanges> {
  await requireTask(ctx, projectId, taskId);
  const row = await findRow(ctx.db, taskId);
  const last = row && (await findLastSuccess(ctx.db, row));
  if (!row || !last) return { since: null, changes: [] };
  const both = { before: toComparedRun(ctx, last), after: toComparedRun(ctx, row) };
  const found = [
    ...(await changedCommits(ctx, findCommits, both.before, both.after)),
    ...(await compare(ctx, both)),
  ];
  const failures = await findFailures(ctx.db, taskId);
  const { id, version, end } = last;
  return {
    since: { id, version, end },
    changes: rankChanges(shownTo(reader, both, found), failures).slice(0, MAX_CHANGES),
  };
}

async function compare(ctx: Context, both: Pair<ComparedRun>): Promise<TaskChange[]> {
  const snapshots = of(both, ({ snapshot }) => snapshot);
  const used = of(both, (one) => one.used_secrets);
  const tools = of(both, (one) => one.tools);
  const isSecret = await secretNames(ctx, both, used);
  const variables = (field: 'json' | 'env') => of(snapshots, (one) => variablesOf(one, field));
  const answers = of(both, ({ environment }) => environment);
  const keys = await listGivenKeys(
    { ...ctx, db: seenBy(ctx) },
    both.after.project_id,
    keyIdsOf(snapshots),
  );
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return [
    ...changedSettings(snapshots),
    ...(await changedEnvironments(ctx, both)),
    ...changedVariables('variable', variables('json'), isSecret),
    ...changedVariables('process_variable', variables('env'), isSecret),
    ...changedSecrets(used),
    ...changedVariables('answer', answers, isSecret),
    ...changedInventory(of(snapshots, ({ inventory }) => inventory)),
    ...changedKeys(snapshots, used, names),
    ...changedTools(tools),
    ...changedRunner(both),
    ...(await changedLauncher(ctx, both)),
  ];
}

const of = <T, V>({ before, after }: Pair<T>, read: (one: T) => V): Pair<V> => ({
  before: read(before),
  after: read(after),
});

/**
 * Returns whether the values of a variable are hidden: it is or was secret in an environment, or is secret
 * in the current survey. A secret variable may have been plain earlier.
 */
async function secretNames(
  ctx: Context,
  both: Pair<ComparedRun>,
  used: Pair<UsedSecrets | null>,
): Promise<(name: string) => boolean> {
  const { project_id: projectId, template_id: templateId } = both.after;
  const ids = [...new Set([...environmentIds(both.before), ...environmentIds(both.after)])];
  const variables = [
    ...(await listSecretTimes(ctx, projectId, ids)),
    ...(used.before?.variables ?? []),
    ...(used.after?.variables ?? []),
  ];
  const template = await requireTemplate(ctx, projectId, templateId);
  const asked = template.survey_vars.filter(({ type }) => type === 'secret');
  const names = new Set([...variables, ...asked].map(({ name }) => name));
  return (name) => names.has(name);
}

async function changedEnvironments(ctx: Context, both: Pair<ComparedRun>): Promise<TaskChange[]> {
  const ids = of(both, environmentIds);
  if (ids.before.join() === ids.after.join()) return [];
  const all = await listEnvironments(seenBy(ctx), both.after.project_id);
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const named = of(ids, (list) => list.map((id) => names.get(id) ?? `#${id}`).join(', ') || null);
  return [changeOf({ kind: 'setting', what: 'environments', ...named })];
}

function changedRunner({ before, after }: Pair<ComparedRun>): TaskChange[] {
  const names = { before: before.runner_name, after: after.runner_name };
  // A task that has not begun has no runner yet.
  if (names.before === '' || names.after === '' || names.before === names.after) return [];
  return [changeOf({ kind: 'runner', what: '', ...names })];
}

async function changedLauncher(ctx: Context, both: Pair<ComparedRun>): Promise<TaskChange[]> {
  const who = of(both, launcherOf);
  if (who.before === who.after) return [];
  const names = await listLaunchers(seenBy(ctx), [both.before.id, both.after.id]);
  const named = of(both, ({ id, snapshot }) => names.get(id) ?? (snapshot.username || null));
  return [changeOf({ kind: 'launcher', what: '', ...named })];
}

const launcherOf = ({ schedule_id, integration_id, user_id }: Row<'tasks'> | ComparedRun): string =>
  [schedule_id, integration_id, user_id].join();
