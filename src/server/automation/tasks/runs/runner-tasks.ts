// The tasks that runners hold, and what runners report about them.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { TaskTools } from '#shared/api/task-changes.ts';
import type { Answers } from '#shared/api/task-snapshot.ts';
import type { StepStart, Commit } from '../../../../runner/api/runner-api.ts';
import { raiseAlerts } from '../../../alerts/alert-deliveries/raise-alerts.ts';
import type { Context } from '../../../context/context.ts';
import { toPlain } from '../../../db/plain-row.ts';
import type { Row } from '../../../db/tables.ts';
import { fromStored, withAddresses } from '../../../resources/repositories/stored-address.ts';
import { isRestored } from '../../templates/templates.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import { sealInto } from '../../../vault/sealed-texts.ts';
import { Unusable } from '../../../lib/errors.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { updateTools } from '../changes/inputs.store.ts';
import { packLines } from '../log/append-lines.ts';
import {
  findHeldRow,
  findSealedAnswers,
  findShortHeldRow,
  listHeldRows,
  type HeldRow,
  type ShortHeldRow,
} from './held-rows.store.ts';
import {
  listLeases,
  findLastApply,
  listLeasesOf,
  listUnconfirmedRows,
  parkedStatuses,
  takeBack,
  updateStep,
} from './run.store.ts';
import {
  findNewestVersion,
  type TaskJson,
  updateCommit,
  updateVersion,
} from '../rows/tasks.store.ts';
import { measureStart } from './measure.ts';
import { markTime } from './trace.ts';
import { nextVersion } from './version.ts';
import { kindOf } from '#shared/apps.ts';

const jsonColumns = { commands: 'json', snapshot: 'json', environment: 'json' } as const;

type HeldJson = Pick<TaskJson, keyof typeof jsonColumns>;

export function toRunnerTask({ config }: Pick<Context, 'config'>, stored: HeldRow): RunnerTask {
  const row = toPlain<HeldRow, HeldJson>(jsonColumns, stored);
  const { id, project_id, template_id, lease, runner_name, status, start, version } = row;
  const { commit_hash, log_lines, spool_offset, step, attempt, attempts, commands, snapshot } = row;
  return {
    id,
    project_id,
    template_id,
    lease,
    runner_name,
    status,
    start,
    version,
    commit_hash,
    log_lines,
    spool_offset,
    results: row.results,
    step,
    attempt,
    attempts,
    commands,
    is_confirmed: row.confirmed_at !== null,
    snapshot: withAddresses(snapshot, (url) => fromStored(config, url)),
    answers: row.environment,
  };
}

/** Keeps the answers to secret variables until the task has ended. */
export async function sealAnswers(
  ctx: Context,
  task: Pick<RunnerTask, 'id' | 'project_id'>,
  answers: Answers,
): Promise<void> {
  if (Object.keys(answers).length === 0) return;
  await sealInto(ctx, sealedColumns.answers, task, JSON.stringify(answers));
}

/** Opens the answers to secret variables that a task was launched with. */
export async function openAnswers(
  ctx: Context,
  task: Pick<RunnerTask, 'id' | 'project_id'>,
): Promise<Answers> {
  const sealed = await findSealedAnswers(ctx.db, task.id);
  if (!sealed) return {};
  return JSON.parse(ctx.vault.open(sealed, sealedColumns.answers.at(task))) as Answers;
}

/** The tasks that a runner holds, except those that it knows of. */
export async function listHeld(
  ctx: Context,
  runnerId: number | null,
  except: number[] = [],
): Promise<RunnerTask[]> {
  const rows = await listHeldRows(ctx.db, runnerId, except);
  return Promise.all(rows.map((row) => withLastApply(ctx, toRunnerTask(ctx, row))));
}

/** A run of Terraform learns where the state of the last one is. */
async function withLastApply(ctx: Context, task: RunnerTask): Promise<RunnerTask> {
  if (kindOf(task.snapshot.app) !== 'terraform') return task;
  const name = await findLastApply(ctx.db, task);
  if (name !== null) return { ...task, applied_on: name };
  return (await isRestored(ctx.db, task.template_id)) ? { ...task, is_restored: true } : task;
}

/** A task that a runner holds; null: the runner does not hold it. */
export async function findHeld(
  ctx: Context,
  runnerId: number | null,
  id: number,
): Promise<RunnerTask | null> {
  const row = await findHeldRow(ctx.db, runnerId, id);
  return row ? toRunnerTask(ctx, row) : null;
}

/** The same with no more than what most reports need, which is much faster. */
export const findShortHeld = async (
  ctx: Context,
  runnerId: number | null,
  id: number,
): Promise<ShortHeldRow | null> => (await findShortHeldRow(ctx.db, runnerId, id)) ?? null;

/**
 * The same tasks and those that are parked on the runner, with no more than what tells whether it still
 * has them.
 */
export const listHeldLeases = (ctx: Context, runnerId: number | null) =>
  listLeasesOf(ctx.db, runnerId);

/** Whether a task waits in the middle of its run for somebody. */
export const isParked = ({ status }: Pick<Row<'tasks'>, 'status'>): boolean =>
  parkedStatuses.includes(status);

/** Those of the tasks that belong to somebody else by now. */
export async function listTaken(
  ctx: Context,
  held: Pick<RunnerTask, 'id' | 'lease'>[],
): Promise<number[]> {
  const leases = await listLeases(
    ctx.db,
    held.map(({ id }) => id),
  );
  return held.filter(({ id, lease }) => leases.get(id) !== lease).map(({ id }) => id);
}

/** Takes a task from a runner that is gone; null: it is not that runner's any more. */
export async function takeFromLost(
  ctx: Context,
  task: Pick<RunnerTask, 'id' | 'project_id' | 'lease'>,
): Promise<{ isWaiting: boolean; lease: number } | null> {
  return inTransaction(ctx, async (inner) => {
    const taken = await takeBack(inner.db, task);
    if (taken?.isWaiting) {
      inner.hub.publish('task.changed', { projectId: task.project_id, taskId: task.id });
      inner.hub.publish('queue.changed', {});
    }
    return taken;
  });
}

/** The tasks that have waited for a confirmation since before this time. */
export const listUnconfirmed = (ctx: Context, since: Date) =>
  listUnconfirmedRows(ctx.db, since.toISOString());

/**
 * Notes that a command of a run is about to begin, with the lines before it. False: the task was told to
 * stop.
 */
export async function beginStep(
  ctx: Context,
  task: Pick<RunnerTask, 'id' | 'project_id' | 'lease'>,
  { step, commands, log = null }: StepStart,
): Promise<boolean> {
  const lines = log && (await packLines(ctx, task, log.from - 1, log));
  const isBegun = await inTransaction(ctx, async (inner) => {
    await lines?.write(inner.db);
    await measureStart(inner, task.id, step);
    if (!(await updateStep(inner.db, task, { step, commands }))) return false;
    await markTime(inner, task, `step-${step}`);
    inner.hub.publish('task.changed', { projectId: task.project_id, taskId: task.id });
    return true;
  });
  lines?.tell();
  return isBegun;
}

/** Gives a build its version, when it begins. Two builds never get the same. */
export async function takeVersion(ctx: Context, task: RunnerTask): Promise<string | null> {
  const { type, startVersion } = task.snapshot;
  if (type !== 'build' || startVersion === null || task.version !== null) return task.version;
  let version = nextVersion(startVersion, await findNewestVersion(ctx.db, task.template_id));
  // A dry run sees the version that a build would get, and takes none.
  if (task.snapshot.dryRun) return version;
  while (!(await updateVersion(ctx.db, task, version))) {
    const next = nextVersion(startVersion, version);
    if (next === version) throw new Unusable(`The version ${version} is taken and has no number.`);
    version = next;
  }
  ctx.hub.publish('task.changed', { projectId: task.project_id, taskId: task.id });
  return version;
}

/** Remembers what a task runs, and has the host of its repository show that it does. */
export async function recordCommit(
  ctx: Context,
  task: Pick<RunnerTask, 'id' | 'project_id' | 'lease'>,
  commit: Commit,
): Promise<void> {
  const change = { commit_hash: commit.hash, commit_message: commit.message.slice(0, 100) };
  await inTransaction(ctx, async (inner) => {
    await updateCommit(inner.db, task, change);
    await markTime(inner, task, 'commit');
    await raiseAlerts(inner, task.id, 'started');
    inner.hub.publish('task.changed', { projectId: task.project_id, taskId: task.id });
  });
}

/** Records the programs and requirements that a run uses, with their versions. */
export async function recordTools(
  ctx: Context,
  task: Pick<RunnerTask, 'id' | 'lease'>,
  tools: TaskTools,
): Promise<void> {
  await updateTools(ctx.db, task, tools);
  await markTime(ctx, task, 'tools');
}
