import { projects } from '#shared/api/projects.ts';
import type { Context } from '../context.ts';
import { createDemo, type MakeRepository } from '../demo/demo.ts';
import { fail } from '../errors.ts';
import type { Http } from '../http/serve.ts';
import { createProject } from './projects.ts';
import { findProject, listProjects } from './projects.store.ts';

export function projectRoutes(http: Http, ctx: Context, makeRepository: MakeRepository): void {
  http.serve(projects.list, ({ actor }) => listProjects(ctx.db, actor.admin ? null : actor.userId));

  http.serve(projects.create, ({ actor, body }) =>
    body.demo
      ? createDemo(ctx, makeRepository, actor.userId, body)
      : createProject(ctx, actor.userId, body),
  );

  http.serve(projects.one, async ({ params }) => {
    const project = await findProject(ctx.db, params.project_id);
    if (!project) throw fail('project.not_found');
    return project;
  });

  http.serve(projects.role, ({ access }) => ({ role: access.role, permissions: access.mask }));
}
