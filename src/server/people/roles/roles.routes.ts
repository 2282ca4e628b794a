import { projects } from '#shared/api/projects.ts';
import { installationRoles, projectRoles } from '#shared/api/roles.ts';
import { bitsOf, roleInfos } from '#shared/rights.ts';
import type { Http } from '../../http/serve.ts';
import { hasAllRights, changeRole, createRole, removeRole, requireRole } from './roles.ts';
import { listRoles } from './roles.store.ts';

export function roleRoutes(http: Http): void {
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

  const ofProject = projectRoles;
  http.serve(ofProject.list, ({ ctx, projectId, query }) => listRoles(ctx.db, projectId, query));
  http.serve(ofProject.create, ({ ctx, projectId, body, access }) =>
    createRole(ctx, projectId, body, access),
  );
  http.serve(ofProject.one, ({ ctx, projectId, id }) => requireRole(ctx, projectId, id));
  http.serve(ofProject.update, ({ ctx, projectId, id, body, ifMatch: revision, access }) =>
    changeRole(ctx, { projectId, id, revision }, body, access),
  );
  http.serve(ofProject.remove, ({ ctx, projectId, id, access }) =>
    removeRole(ctx, projectId, id, access),
  );

  const shared = installationRoles;
  http.serve(shared.list, ({ ctx, query }) => listRoles(ctx.db, null, query));
  http.serve(shared.create, ({ ctx, body }) => createRole(ctx, null, body, hasAllRights));
  http.serve(shared.one, ({ ctx, id }) => requireRole(ctx, null, id));
  http.serve(shared.update, ({ ctx, id, body, ifMatch: revision }) =>
    changeRole(ctx, { projectId: null, id, revision }, body, hasAllRights),
  );
  http.serve(shared.remove, ({ ctx, id }) => removeRole(ctx, null, id, hasAllRights));
}
