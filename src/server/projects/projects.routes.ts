import { projects } from '#shared/api/projects.ts';
import { bitsOf } from '#shared/rights.ts';
import type { Http } from '../http/serve.ts';
import { changeProject, createProject, removeProject, requireProject } from './projects.ts';
import { listProjects } from './projects.store.ts';

export function projectRoutes(http: Http, createDemo: typeof createProject): void {
  http.serve(projects.list, async ({ ctx, actor }) => {
    const list = await listProjects(ctx.db, actor.admin ? null : actor.userId);
    const only = actor.token?.projectId ?? null;
    return only === null ? list : list.filter(({ id }) => id === only);
  });

  http.serve(projects.create, ({ ctx, actor, body }) =>
    body.demo ? createDemo(ctx, actor.userId, body) : createProject(ctx, actor.userId, body),
  );

  http.serve(projects.one, ({ ctx, params }) => requireProject(ctx.db, params.project_id));
  http.serve(projects.update, ({ ctx, params, body, ifMatch }) =>
    changeProject(ctx, { id: params.project_id, revision: ifMatch }, body),
  );
  http.serve(projects.remove, ({ ctx, params }) => removeProject(ctx, params.project_id));

  http.serve(projects.role, ({ access: { role, rights } }) => ({
    role,
    permissions: bitsOf(rights),
  }));
  http.serve(
    projects.rights,
    async ({ access: { role, roleName, rights, objects, hasRestrictions } }) => ({
      role,
      role_name: roleName,
      rights: [...rights],
      restricted: hasRestrictions,
      objects: (await objects?.())?.shownExceptions ?? [],
    }),
  );
}
