import { isDeepStrictEqual } from 'node:util';
import type { NewTask, Task } from '#shared/api/tasks.ts';
import type { Right } from '#shared/rights.ts';
import type { Answers, TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { sourceOf, type Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';
import { requireProject } from '../../projects/projects.ts';
import { requireEnvironment } from '../../resources/environments/environments.ts';
import {
  requireExecutionEnvironment,
  toExecutionSnapshot,
} from '../../resources/execution-environments/execution-environments.ts';
import { requireInventory } from '../../resources/inventories/inventories.ts';
import { requireRepository } from '../../resources/repositories/repositories.ts';
import { toStored, withAddresses } from '../../resources/repositories/stored-address.ts';
import { checkReferences } from '../../resources/resource.ts';
import { requireProgram } from '../apps/apps.ts';
import { countLaunch, requireTemplate } from '../templates/templates.ts';
import { findBuild, checkLaunch } from './launch/launch-rules.ts';
import { launchReferences } from './launch/launch-references.ts';
import { launchOf, requireWithinLimits } from './launch/grant-limits.ts';
import { takeSnapshot, type LaunchParts } from './launch/snapshot.ts';
import { readAnswers, type Extracted } from './launch/survey.ts';
import { hasRunCommit, insertTask } from './rows/tasks.store.ts';
import { expectedSeconds } from './runs/progress.ts';
import { sealAnswers } from './runs/runner-tasks.ts';
import { traceOf } from './runs/trace.ts';
import { recordTask, requireTask } from './tasks.ts';

/** Options of a launch that people cannot set. */
export interface LaunchExtras {
  /** Extracted values of variables, whose names an administrator chose. */
  extracted?: Extracted;
  /** Extracted values that are secret. */
  secrets?: Extracted;
  /** The rights of which one is enough; by default to run the template. */
  rights?: Right[];
  /** The run of a workflow, and the key of the node that the task is. */
  node?: { runId: number; key: string };
}

/** Adds a task with its snapshot to the queue. */
export async function startTask(
  ctx: Context,
  projectId: number,
  launch: NewTask,
  { extracted, secrets, node, rights = ['template.run'] }: LaunchExtras = {},
): Promise<Task> {
  const { userId, username } = ctx.by;
  const template = await requireTemplate(ctx, projectId, launch.template_id);
  checkLaunch(launch, template);
  const more = { extracted, secrets };
  const answers = readAnswers(template, launch.environment, launch.secret, more);
  const program = await requireProgram(ctx, template.app);
  const build = await findBuild(ctx, projectId, template, launch.build_task_id);
  const parts = await gather(ctx, projectId, template, launch);
  const hasSecretAnswers = Object.keys(answers.secret).length > 0;
  const frozen = { ...parts, program, username, incomingVersion: build.version, hasSecretAnswers };
  const snapshot = stored(ctx, takeSnapshot(frozen, launch));
  const created = ctx.clock.now().toISOString();
  const inventory_id = launch.inventory_id ?? template.inventory_id;
  if (!node) {
    const row = { template_id: template.id, inventory_id, created, arguments: launch.arguments };
    const asked = launchOf({ ...row, snapshot, environment: answers.plain });
    await requireWithinLimits(ctx, projectId, { rights, launch: asked });
  }
  const id = await inTransaction(ctx, async (inner) => {
    const { db, hub } = inner;
    if (!(await countLaunch(db, projectId, template.id))) throw fail('template.not_found');
    const taskId = await insertTask(db, {
      project_id: projectId,
      template_id: template.id,
      user_id: userId,
      ...sourceOf(ctx.by),
      ...placeOf(node),
      ...traceOf(ctx.by),
      status: 'waiting',
      created,
      ...optionsOf(launch),
      build_task_id: build.id,
      environment: answers.plain,
      environmentText: originalAnswersText(launch.environment, answers.plain),
      secret_answers: Object.keys(answers.secret),
      secret: null,
      auto_approve: snapshot.autoApprove,
      inventory_id,
      execution_kind: snapshot.executionEnvironment?.kind ?? 'server',
      attempts: template.retries + 1,
      snapshot,
      expected_s: await expectedSeconds(db, template.id, launch.dry_run),
    });
    const task = { id: taskId, project_id: projectId, tpl_alias: template.name };
    await sealAnswers(inner, task, answers.secret);
    await recordTask(inner, launch.dry_run ? 'task.dry_run_started' : 'task.started', task);
    hub.publish('task.changed', { projectId, taskId });
    hub.publish('queue.changed', {});
    return taskId;
  });
  return requireTask(ctx, projectId, id);
}

/** The options of a launch that are stored as they are. */
const optionsOf = (launch: NewTask) => ({
  message: launch.message,
  debug: launch.debug,
  debug_level: launch.debug_level,
  dry_run: launch.dry_run,
  diff: launch.diff,
  playbook: launch.playbook ?? '',
  arguments: launch.arguments,
  git_branch: launch.git_branch,
  limit: launch.limit ?? '',
  tags: launch.tags ?? '',
  skip_tags: launch.skip_tags ?? '',
  execution_environment_id: launch.execution_environment_id,
});

// Whitespace in the stored text of the answers, in characters: lists of tasks contain it too.
const MAX_SPACES = 1024;

/** The JSON of the answers as it was sent, if it equals the answers of the run. */
const originalAnswersText = (text: string, answers: Answers): string | null =>
  text.length <= JSON.stringify(answers).length + MAX_SPACES &&
  isDeepStrictEqual(JSON.parse(text), answers)
    ? text
    : null;

const stored = ({ config }: Context, snapshot: TaskSnapshot): TaskSnapshot =>
  withAddresses(snapshot, (url) => toStored(config, url));

const placeOf = (node: LaunchExtras['node']) => ({
  workflow_run_id: node?.runId ?? null,
  workflow_node: node?.key ?? null,
});

/** Reads everything that the task will run, and refuses resources of other projects. */
async function gather(
  ctx: Context,
  projectId: number,
  template: LaunchParts['template'],
  launch: NewTask,
): Promise<Omit<LaunchParts, 'username' | 'program' | 'incomingVersion' | 'hasSecretAnswers'>> {
  await checkReferences(ctx, projectId, launchReferences(launch));
  const { commit_hash: commit } = launch;
  if (commit && !(await hasRunCommit(ctx.db, template.id, commit))) {
    throw failFields(fieldError('commit_hash', 'field.reference'));
  }
  const project = await requireProject(ctx.db, projectId);
  const repository = await requireRepository(ctx, projectId, template.repository_id);
  const inventoryId = launch.inventory_id ?? template.inventory_id;
  const inventory =
    inventoryId === null ? null : await requireInventory(ctx, projectId, inventoryId);
  const elsewhere = inventory?.type === 'file' ? inventory.repository_id : null;
  const environments: LaunchParts['environments'] = [];
  for (const id of template.environment_ids) {
    environments.push(await requireEnvironment(ctx, projectId, id));
  }
  return {
    template,
    repository,
    inventory,
    inventoryRepository:
      elsewhere === null ? null : await requireRepository(ctx, projectId, elsewhere),
    environments,
    executionEnvironment: await findExecution(ctx, project, [launch, template, project]),
    project,
  };
}

/** The first of the choices that is not null counts; null: the programs of the runner. */
async function findExecution(
  ctx: Context,
  { id: projectId }: { id: number },
  choices: { execution_environment_id: number | null }[],
): Promise<LaunchParts['executionEnvironment']> {
  const id = choices.find((one) => one.execution_environment_id !== null)?.execution_environment_id;
  if (id == null) return null;
  return toExecutionSnapshot(await requireExecutionEnvironment(ctx, projectId, id));
}
