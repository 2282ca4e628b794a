import type { NewProject, Project, ProjectChange } from '#shared/api/projects.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { Context } from '../context/context.ts';
import { refusing } from '../db/conflict.ts';
import type { Db } from '../db/open.ts';
import { record } from '../events/events.ts';
import { fail, failFields, fieldError } from '../lib/errors.ts';
import { inTransaction } from '../context/transaction.ts';
import { addOwner, holdProject } from '../people/members/members.ts';
import { createEnvironment } from '../resources/environments/environments.ts';
import { hasExecutionEnvironment } from '../resources/execution-environments/execution-environments.ts';
import { createKey, nameOfNone } from '../resources/keys/keys.ts';
import {
  deleteProject,
  findProject,
  insertProject,
  listProjects,
  listUnfinishedTasks,
  updateDefaultEnvironment,
  updateProject,
  type VersionedProject,
} from './projects.store.ts';

export async function createEmptyProject(
  ctx: Context,
  userId: number,
  input: NewProject,
): Promise<Project> {
  await checkDefault(ctx, null, input);
  return inTransaction(ctx, async (inner) => {
    const values = { ...toValues(input), created: ctx.clock.now().toISOString() };
    const created = await refusing(insertProject(inner.db, values), stale);
    await addOwner(inner.db, created.id, userId);
    await recordProject(inner, 'project.created', created);
    inner.hub.publish('resource.changed', { projectId: created.id, noun: 'projects' });
    return created;
  });
}

/** Adds the key and the environment that most templates need. */
export async function createProject(
  ctx: Context,
  userId: number,
  input: NewProject,
): Promise<Project> {
  return inTransaction(ctx, async (inner) => {
    const created = await createEmptyProject(inner, userId, input);
    await createKey(inner, created.id, { name: nameOfNone, type: 'none' });
    await createEnvironment(inner, created.id, {
      name: 'Empty',
      json: '{}',
      env: '{}',
      secrets: [],
    });
    return created;
  });
}

function recordProject(
  ctx: Context,
  code: Extract<EventCode, `project.${string}`>,
  { id, name }: Pick<Project, 'id' | 'name'>,
): Promise<void> {
  // The events of a project are deleted with it, so its deletion is recorded for the installation.
  const projectId = code === 'project.deleted' ? null : id;
  return record(ctx, { code, projectId, object: { type: 'project', id, name } });
}

function toValues(input: ProjectChange) {
  return {
    name: input.name,
    alert: input.alert ?? false,
    alert_chat: input.alert_chat,
    max_parallel_tasks: input.max_parallel_tasks ?? 0,
    runner_tags: input.runner_tags,
    keep_home: input.keep_home ?? false,
    host_facts: input.host_facts,
    execution_environment_id: input.execution_environment_id,
    type: input.type ?? '',
  };
}

export async function requireProject(db: Db, id: number): Promise<VersionedProject> {
  const project = await findProject(db, id);
  if (!project) throw fail('project.not_found');
  return project;
}

// The execution environment was deleted after the check, or a row that refers to the project was added.
const stale = { 'foreign-key': () => fail('request.stale') };

/** A new project, which null stands for, has no execution environment of its own. */
async function checkDefault(
  { db }: Context,
  projectId: number | null,
  { execution_environment_id: id }: Pick<ProjectChange, 'execution_environment_id'>,
): Promise<void> {
  if (id === null || (await hasExecutionEnvironment(db, projectId, id))) return;
  throw failFields(fieldError('execution_environment_id', 'field.reference'));
}

/** Of a project that is being restored, whose own execution environments did not exist before. */
export async function setDefaultEnvironment(
  ctx: Context,
  id: number,
  execution_environment_id: number | null,
): Promise<void> {
  if (execution_environment_id === null) return;
  await checkDefault(ctx, id, { execution_environment_id });
  await refusing(updateDefaultEnvironment(ctx.db, id, execution_environment_id), stale);
}

/** The hub event also wakes the queue, because a higher limit may admit tasks. */
/** Alerts of the project are about everything in it. */
async function refuseUnseenAlerts(
  { db, by }: Context,
  id: number,
  { alert, alert_chat: chat }: ProjectChange,
): Promise<void> {
  if (!by.scope || !alert || !chat) return;
  const before = await requireProject(db, id);
  if (!before.alert || before.alert_chat !== chat) throw fail('alert.restricted');
}

export async function changeProject(
  ctx: Context,
  { id, revision }: { id: number; revision: number | null },
  change: ProjectChange,
): Promise<void> {
  if (change.id !== undefined && change.id !== id) {
    throw failFields(fieldError('id', 'field.mismatch'));
  }
  await checkDefault(ctx, id, change);
  await inTransaction(ctx, async (inner) => {
    await refuseUnseenAlerts(inner, id, change);
    if (!(await refusing(updateProject(inner.db, id, toValues(change), revision), stale))) {
      await requireProject(inner.db, id);
      throw fail('request.stale');
    }
    await recordProject(inner, 'project.changed', { id, name: change.name });
    inner.hub.publish('resource.changed', { projectId: id, noun: 'projects' });
  });
}

const MAX_LISTED_TASKS = 10;

/** The runner removes its files when it receives the hub event. */
export async function removeProject(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { db, hub } = inner;
    // Meanwhile the queue takes no task; those that are launched now are deleted with the project.
    await holdProject(db, id);
    const project = await requireProject(db, id);
    const unfinished = await listUnfinishedTasks(db, id, MAX_LISTED_TASKS + 1);
    if (unfinished.length > 0) {
      const names = unfinished.slice(0, MAX_LISTED_TASKS).map((taskId) => `#${taskId}`);
      const tasks = [...names, ...(unfinished.length > MAX_LISTED_TASKS ? ['…'] : [])].join(', ');
      throw fail('project.unfinished_tasks', { tasks });
    }
    await refusing(deleteProject(db, id), stale);
    await recordProject(inner, 'project.deleted', project);
    hub.publish('resource.changed', { projectId: id, noun: 'projects' });
  });
}

/** Projects with a persistent home folder. */
export async function listHomeKeepers(ctx: Context): Promise<number[]> {
  return (await listProjects(ctx.db, null)).filter((one) => one.keep_home).map(({ id }) => id);
}

export async function listProjectIds(ctx: Context): Promise<number[]> {
  return (await listProjects(ctx.db, null)).map(({ id }) => id);
}
