import { projects, type NewProject, type Project } from '#shared/api/projects.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import { changeProject, createProject, removeProject, requireProject } from './projects.ts';
import { listProjects } from './projects.store.ts';

type Create = (userId: number, input: NewProject) => Promise<Project>;

export function projectRoutes(http: Http, ctx: Context, createDemo: Create): void {
  http.serve(projects.list, ({ actor }) => listProjects(ctx.db, actor.admin ? null : actor.userId));

  http.serve(projects.create, ({ actor, body }) =>
    body.demo ? createDemo(actor.userId, body) : createProject(ctx, actor.userId, body),
  );

  http.serve(projects.one, ({ params }) => requireProject(ctx.db, params.project_id));
  http.serve(projects.update, ({ params, body, ifMatch }) =>
    changeProject(ctx, { id: params.project_id, revision: ifMatch }, body),
  );
  http.serve(projects.remove, ({ params }) => removeProject(ctx, params.project_id));

  http.serve(projects.role, ({ access }) => ({ role: access.role, permissions: access.mask }));
}
