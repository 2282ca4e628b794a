import { projects } from '#shared/api/projects.ts';
import { bitsOf, roleInfos } from '#shared/rights.ts';
import { listRoles } from '../people/roles/roles.store.ts';
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

  http.serve(projects.roles, async ({ ctx, projectId }) => {
    const own = await listRoles(ctx.db, projectId);
    return [
      ...roleInfos,
      ...own.map(({ slug, name, rights }) => ({
        slug,
        name,
        permissions: bitsOf(new Set(rights)),
      })),
    ];
  });
  http.serve(projects.role, ({ access: { role, roleName, rights } }) => ({
    role,
    role_name: roleName,
    permissions: bitsOf(rights),
    rights: [...rights],
  }));
}
