import type { NewProject, Project } from '#shared/api/projects.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/open.ts';
import { toFlag } from '../db/row.ts';
import { addMember } from '../members/members.ts';
import { createEnvironment } from '../environments/environments.ts';
import { createKey } from '../keys/keys.ts';
import { insertProject } from './projects.store.ts';

/** Creates a project with its owner and the two things that nearly every template needs. */
export async function createProject(
  ctx: Context,
  userId: number,
  input: NewProject,
): Promise<Project> {
  const project = await inTransaction(ctx.db, async (db) => {
    const created = await insertProject(db, {
      name: input.name,
      created: ctx.clock.now().toISOString(),
      alert: toFlag(input.alert ?? false),
      alert_chat: input.alert_chat || null,
      max_parallel_tasks: input.max_parallel_tasks ?? 0,
      type: input.type ?? '',
    });
    await addMember(db, created.id, userId, 'owner');
    const inner = { ...ctx, db };
    await createKey(inner, created.id, { name: 'None', type: 'none' });
    await createEnvironment(inner, created.id, { name: 'Empty', json: '{}', env: '{}' });
    return created;
  });
  ctx.hub.publish('changed', { projectId: project.id, noun: 'projects' });
  return project;
}
