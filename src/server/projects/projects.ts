import type { NewProject, Project, ProjectChange } from '#shared/api/projects.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { Context } from '../context/context.ts';
import { refusing } from '../db/conflict.ts';
import type { Db } from '../db/open.ts';
import { record } from '../events/events.ts';
import { fail, failFields, fieldError } from '../lib/errors.ts';
import { inTransaction } from '../context/transaction.ts';
import { addMember, holdProject } from '../people/members/members.ts';
import { createEnvironment } from '../resources/environments/environments.ts';
import { createKey, nameOfNone } from '../resources/keys/keys.ts';
import {
  deleteProject,
  findProject,
  insertProject,
  listProjects,
  listUnfinishedTasks,
  updateProject,
  type VersionedProject,
} from './projects.store.ts';

/** Creates a project with its owner and nothing else. */
export async function createEmptyProject(
  ctx: Context,
  userId: number,
  input: NewProject,
): Promise<Project> {
  return inTransaction(ctx, async (inner) => {
    const created = await insertProject(inner.db, {
      ...toValues(input),
      created: ctx.clock.now().toISOString(),
    });
    await addMember(inner.db, created.id, userId, 'owner');
    await tell(inner, 'project.created', created);
    inner.hub.publish('resource.changed', { projectId: created.id, noun: 'projects' });
    return created;
  });
}

/** Creates a project with its owner and the two things that nearly every template needs. */
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

function tell(
  ctx: Context,
  code: Extract<EventCode, `project.${string}`>,
  { id, name }: Pick<Project, 'id' | 'name'>,
): Promise<void> {
  // The events of a project are deleted with it, so the event of its deletion belongs to the
  // installation.
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
    type: input.type ?? '',
  };
}

/** The project; refuses if there is none with this id. */
export async function requireProject(db: Db, id: number): Promise<VersionedProject> {
  const project = await findProject(db, id);
  if (!project) throw fail('project.not_found');
  return project;
}

/** The hub event wakes the queue too, because another limit may let tasks start. */
export async function changeProject(
  ctx: Context,
  { id, revision }: { id: number; revision: number | null },
  change: ProjectChange,
): Promise<void> {
  if (change.id !== undefined && change.id !== id) {
    throw failFields(fieldError('id', 'field.mismatch'));
  }
  await inTransaction(ctx, async (inner) => {
    if (!(await updateProject(inner.db, id, toValues(change), revision))) {
      await requireProject(inner.db, id);
      throw fail('request.stale');
    }
    await tell(inner, 'project.changed', { id, name: change.name });
    inner.hub.publish('resource.changed', { projectId: id, noun: 'projects' });
  });
}

// The most unfinished tasks that the refusal names.
const named = 10;

/** Deletes a project with all its rows. The runner removes its files when it receives the hub event. */
export async function removeProject(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { db, hub } = inner;
    // From here on the queue takes no task of the project.
    await holdProject(db, id);
    const project = await requireProject(db, id);
    const unfinished = await listUnfinishedTasks(db, id, named + 1);
    if (unfinished.length > 0) {
      const names = unfinished.slice(0, named).map((taskId) => `#${taskId}`);
      const tasks = [...names, ...(unfinished.length > named ? ['…'] : [])].join(', ');
      throw fail('project.unfinished_tasks', { tasks });
    }
    // A row that refers to another one was added meanwhile: a second request succeeds.
    await refusing(deleteProject(db, id), { 'foreign-key': () => fail('request.stale') });
    await tell(inner, 'project.deleted', project);
    hub.publish('resource.changed', { projectId: id, noun: 'projects' });
  });
}

/** The ids of the projects that keep the home folder of their runs. */
export async function listHomeKeepers(ctx: Context): Promise<number[]> {
  return (await listProjects(ctx.db, null)).filter((one) => one.keep_home).map(({ id }) => id);
}

/** The ids of all projects. */
export async function listProjectIds(ctx: Context): Promise<number[]> {
  return (await listProjects(ctx.db, null)).map(({ id }) => id);
}
