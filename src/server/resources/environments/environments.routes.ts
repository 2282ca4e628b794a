import { environments } from '#shared/api/environments.ts';
import type { Http } from '../../http/serve.ts';
import {
  changeEnvironment,
  createEnvironment,
  environmentRefs,
  removeEnvironment,
  getEnvironment,
  shownEnvironment,
} from './environments.ts';
import { environmentStore } from './environments.store.ts';

export function environmentRoutes(http: Http): void {
  http.serve(environments.list, async ({ ctx, params, query, access }) => {
    const list = await environmentStore.list(ctx.db, params.project_id, query);
    return list.map((environment) => shownEnvironment(environment, access.mask));
  });
  http.serve(environments.create, ({ ctx, params, body }) =>
    createEnvironment(ctx, params.project_id, body),
  );
  http.serve(environments.one, async ({ ctx, params, access }) =>
    shownEnvironment(
      await getEnvironment(ctx, params.project_id, params.environment_id),
      access.mask,
    ),
  );
  http.serve(environments.update, ({ ctx, params, body, ifMatch }) => {
    const { project_id: projectId, environment_id: id } = params;
    return changeEnvironment(ctx, { projectId, id, revision: ifMatch }, body);
  });
  http.serve(environments.refs, ({ ctx, params }) =>
    environmentRefs(ctx, params.project_id, params.environment_id),
  );
  http.serve(environments.remove, ({ ctx, params }) =>
    removeEnvironment(ctx, params.project_id, params.environment_id),
  );
}
