import { projects, type NewProject, type Project } from '#shared/api/projects.ts';
import type { Context } from '../context.ts';
import { fail } from '../errors.ts';
import type { Http } from '../http/serve.ts';
import { createProject } from './projects.ts';
import { findProject, listProjects } from './projects.store.ts';

type Create = (userId: number, input: NewProject) => Promise<Project>;

export function projectRoutes(http: Http, ctx: Context, createDemo: Create): void {
  http.serve(projects.list, ({ actor }) => listProjects(ctx.db, actor.admin ? null : actor.userId));

  http.serve(projects.create, ({ actor, body }) =>
    body.demo ? createDemo(actor.userId, body) : createProject(ctx, actor.userId, body),
  );

  http.serve(projects.one, async ({ params }) => {
    const project = await findProject(ctx.db, params.project_id);
    if (!project) throw fail('project.not_found');
    return project;
  });

  http.serve(projects.role, ({ access }) => ({ role: access.role, permissions: access.mask }));
}
