import type { NewProject, Project } from '#shared/api/projects.ts';
import type { Context } from '../context.ts';
import { toFlag } from '../db/row.ts';
import { inTransaction } from '../transaction.ts';
import { addMember } from '../members/members.ts';
import { createEnvironment } from '../environments/environments.ts';
import { createKey } from '../keys/keys.ts';
import { insertProject, listProjects } from './projects.store.ts';

/** Creates a project with its owner and the two things that nearly every template needs. */
export async function createProject(
  ctx: Context,
  userId: number,
  input: NewProject,
): Promise<Project> {
  return inTransaction(ctx, async (inner) => {
    const created = await insertProject(inner.db, {
      name: input.name,
      created: ctx.clock.now().toISOString(),
      alert: toFlag(input.alert ?? false),
      alert_chat: input.alert_chat || null,
      max_parallel_tasks: input.max_parallel_tasks ?? 0,
      type: input.type ?? '',
    });
    await addMember(inner.db, created.id, userId, 'owner');
    await createKey(inner, created.id, { name: 'None', type: 'none' });
    await createEnvironment(inner, created.id, {
      name: 'Empty',
      json: '{}',
      env: '{}',
      secrets: [],
    });
    inner.hub.publish('changed', { projectId: created.id, noun: 'projects' });
    return created;
  });
}

/** The ids of all projects. */
export async function listProjectIds(ctx: Context): Promise<number[]> {
  return (await listProjects(ctx.db, null)).map(({ id }) => id);
}
