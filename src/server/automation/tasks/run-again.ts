import { kindOf } from '#shared/apps.ts';
import { isFinished } from '#shared/task-status.ts';
import { newTask, type HostChoice, type Task } from '#shared/api/tasks.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { Right } from '#shared/rights.ts';
import { sourceOf, type Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { fail } from '../../lib/errors.ts';
import { requireProgram } from '../apps/apps.ts';
import { countLaunch, requireTemplate } from '../templates/templates.ts';
import { checkLaunch } from './launch/launch-rules.ts';
import { launchOf, requireWithinLimits } from './launch/grant-limits.ts';
import { isReserved } from './launch/narrow-limit.ts';
import { listHosts } from './results/task-hosts.store.ts';
import { findRow, insertTask, toPlainRow } from './rows/tasks.store.ts';
import { expectedSeconds } from './runs/progress.ts';
import { confine, isOfGroup, repeated } from './runs/repeat.ts';
import { recordTask, requireTask } from './tasks.ts';
import { startTask } from './start-task.ts';

type Template = Awaited<ReturnType<typeof requireTemplate>>;

/**
 * Launches a finished Ansible task again, with the same commit, inventory and options, on some of its
 * hosts. The rules of a launch apply: options that the template no longer allows are refused.
 */
export async function runAgain(
  ctx: Context,
  projectId: number,
  taskId: number,
  choice: HostChoice,
): Promise<Task> {
  const task = await requireTask(ctx, projectId, taskId);
  const row = await findRow(ctx.db, task.id);
  if (!row) throw fail('task.not_found');
  if (!isFinished(task.status)) throw fail('task.wrong_status', { status: task.status });
  const { snapshot: earlier } = toPlainRow(row);
  const { app } = earlier;
  if (kindOf(app) !== 'ansible') throw fail('task.field_not_supported', { app, field: 'hosts' });
  const hosts = await choose(ctx, task.id, choice, earlier);
  const template = await requireTemplate(ctx, projectId, task.template_id);
  checkLaunch(newTask.parse(optionsOf(task)), template);
  requireNoSecrets(earlier, template);
  const program = await requireProgram(ctx, app);
  const { userId, username } = ctx.by;
  const next = repeated(row, ctx.clock.now());
  const asked = launchOf({ ...toPlainRow(row), created: next.created });
  await requireWithinLimits(ctx, projectId, { rights: ['task.restart'], launch: asked });
  const id = await inTransaction(ctx, async (inner) => {
    const { db, hub } = inner;
    if (!(await countLaunch(db, projectId, template.id))) throw fail('template.not_found');
    const created = await insertTask(db, {
      ...next,
      ...confine({ ...next.snapshot, program, username }, hosts),
      ...sourceOf(ctx.by),
      user_id: userId,
      confirmed_by: null,
      confirmed_at: null,
      not_confirmed_by: null,
      workflow_run_id: null,
      workflow_node: null,
      rerun_of: task.id,
      retry_of: null,
      attempt: 1,
      not_before: null,
      expected_s: await expectedSeconds(db, template.id, task.dry_run),
    });
    const code = task.dry_run ? 'task.dry_run_started' : 'task.started';
    await recordTask(inner, code, { ...task, id: created });
    hub.publish('task.changed', { projectId, taskId: created });
    hub.publish('queue.changed', {});
    return created;
  });
  return requireTask(ctx, projectId, id);
}

/** The names of the chosen hosts; refuses hosts that the run has not named. */
async function choose(
  ctx: Context,
  taskId: number,
  choice: HostChoice,
  { narrowed }: TaskSnapshot,
): Promise<string[]> {
  const all = await listHosts(ctx.db, taskId);
  const within = narrowed && new Set(narrowed.hosts);
  const named = all.filter(({ host }) => within?.has(host) ?? true);
  const names =
    typeof choice === 'string'
      ? named.filter((one) => isOfGroup[choice](one)).map(({ host }) => host)
      : [...new Set(choice)];
  if (names.length === 0) throw fail('task.no_such_hosts');
  const known = new Set(named.map(({ host }) => host));
  const unknown = names.find((host) => !known.has(host));
  if (unknown !== undefined) throw fail('task.host_not_named', { host: unknown });
  const reserved = names.find(isReserved);
  if (reserved !== undefined) throw fail('task.host_not_selectable', { host: reserved });
  return names;
}

/** Tasks of earlier versions do not record whether they had secret answers; then the template decides. */
function requireNoSecrets({ hasSecretAnswers }: TaskSnapshot, { survey_vars }: Template): void {
  const asked = survey_vars.some(({ type, required }) => type === 'secret' && required);
  if (hasSecretAnswers ?? asked) throw fail('task.secrets_gone');
}

/**
 * Launches the template of a task with the options of that task. The rules of a launch apply: options
 * that the template no longer allows are refused. Secret answers are not stored, so there are none.
 */
export async function restartTask(ctx: Context, projectId: number, id: number): Promise<Task> {
  const task = await requireTask(ctx, projectId, id);
  const rights: Right[] = ['template.run', 'task.restart'];
  return startTask(ctx, projectId, newTask.parse(optionsOf(task)), { rights });
}

/** The options of the launch of a task, without its secret answers. */
export function optionsOf(task: Task): Record<string, unknown> {
  const known = Object.keys(newTask.shape).filter((name) => name in task);
  const options = Object.fromEntries(known.map((name) => [name, task[name as keyof Task]]));
  // A launch runs the newest commit, unless it names one.
  const { commit_hash: _commit, secret: _secret, ...launch } = options;
  return launch;
}
