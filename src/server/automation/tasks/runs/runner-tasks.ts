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
  listUnconfirmedRows,
  parkedStatuses,
  takeBack,
  updateStep,
} from './run.store.ts';
import {
  findNewestVersion,
  type TaskJson,
  updateCommit,
  updateRunReport,
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
  const { confirmed_at: confirmedAt, environment, snapshot, ...task } = row;
  return {
    ...task,
    is_confirmed: confirmedAt !== null,
    snapshot: withAddresses(snapshot, (url) => fromStored(config, url)),
    answers: environment,
  };
}

/** Stores the answers to secret variables until the task has ended. */
export async function sealAnswers(
  ctx: Context,
  task: Pick<RunnerTask, 'id' | 'project_id'>,
  answers: Answers,
): Promise<void> {
  if (Object.keys(answers).length === 0) return;
  await sealInto(ctx, sealedColumns.answers, task, JSON.stringify(answers));
}

/** Opens the answers to secret variables of a task. */
export async function openAnswers(
  ctx: Context,
  task: Pick<RunnerTask, 'id' | 'project_id'>,
): Promise<Answers> {
  const sealed = await findSealedAnswers(ctx.db, task.id);
  if (!sealed) return {};
  return JSON.parse(ctx.vault.open(sealed, sealedColumns.answers.at(task))) as Answers;
}

/** The tasks that a runner holds, except those with these ids. */
export async function listHeld(
  ctx: Context,
  runnerId: number | null,
  except: number[] = [],
): Promise<RunnerTask[]> {
  const rows = await listHeldRows(ctx.db, runnerId, except);
  return Promise.all(rows.map((row) => withLastApply(ctx, toRunnerTask(ctx, row))));
}

/** Adds to a run of Terraform on which runner the state of the last one is. */
async function withLastApply(ctx: Context, task: RunnerTask): Promise<RunnerTask> {
  if (kindOf(task.snapshot.app) !== 'terraform') return task;
  const name = await findLastApply(ctx.db, task);
  if (name !== null) return { ...task, applied_on: name };
  return (await isRestored(ctx.db, task.template_id)) ? { ...task, is_restored: true } : task;
}

/** Null: the runner does not hold the task. */
export async function findHeld(
  ctx: Context,
  runnerId: number | null,
  id: number,
): Promise<RunnerTask | null> {
  const row = await findHeldRow(ctx.db, runnerId, id);
  return row ? toRunnerTask(ctx, row) : null;
}

/** The same with what `listHeld` adds. */
export async function findWholeHeld(
  ctx: Context,
  runnerId: number | null,
  id: number,
): Promise<RunnerTask | null> {
  const task = await findHeld(ctx, runnerId, id);
  return task && withLastApply(ctx, task);
}

/** As `findHeld`, with the few columns that most reports need, which is much faster. */
export const findShortHeld = async (
  ctx: Context,
  runnerId: number | null,
  id: number,
): Promise<ShortHeldRow | null> => (await findShortHeldRow(ctx.db, runnerId, id)) ?? null;

export const isParked = ({ status }: Pick<Row<'tasks'>, 'status'>): boolean =>
  parkedStatuses.includes(status);

/** The ids of the tasks with a newer lease, or that no longer exist. */
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

/** Revokes the lease of a lost runner; null: the runner no longer holds the task. */
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

/** Records that a command of a run is about to begin, with the lines before it. False: the task is stopping. */
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
  lines?.publish();
  return isBegun;
}

/** Assigns a build its unique version when it begins. */
export async function takeVersion(ctx: Context, task: RunnerTask): Promise<string | null> {
  const { type, startVersion } = task.snapshot;
  if (type !== 'build' || startVersion === null || task.version !== null) return task.version;
  let version = nextVersion(startVersion, await findNewestVersion(ctx.db, task.template_id));
  // A dry run shows the version that a build would get, and stores none.
  if (task.snapshot.dryRun) return version;
  while (!(await updateVersion(ctx.db, task, version))) {
    const next = nextVersion(startVersion, version);
    if (next === version) throw new Unusable(`The version ${version} is taken and has no number.`);
    version = next;
  }
  ctx.hub.publish('task.changed', { projectId: task.project_id, taskId: task.id });
  return version;
}

/** Records the commit of a task, and raises the alert that it has started. */
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

export async function recordTools(
  ctx: Context,
  task: Pick<RunnerTask, 'id' | 'lease'>,
  tools: TaskTools,
): Promise<void> {
  await updateRunReport(ctx.db, task, { tools });
  await markTime(ctx, task, 'tools');
}
