import { environments } from '#shared/api/environments.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import {
  changeEnvironment,
  createEnvironment,
  environmentRefs,
  removeEnvironment,
  seeEnvironment,
  shownEnvironment,
} from './environments.ts';
import { environmentStore } from './environments.store.ts';

export function environmentRoutes(http: Http, ctx: Context): void {
  http.serve(environments.list, async ({ params, query, access }) => {
    const list = await environmentStore.list(ctx.db, params.project_id, query);
    return list.map((environment) => shownEnvironment(environment, access.mask));
  });
  http.serve(environments.create, ({ params, body }) =>
    createEnvironment(ctx, params.project_id, body),
  );
  http.serve(environments.one, async ({ params, access }) =>
    shownEnvironment(
      await seeEnvironment(ctx, params.project_id, params.environment_id),
      access.mask,
    ),
  );
  http.serve(environments.update, ({ params, body, ifMatch }) => {
    const { project_id: projectId, environment_id: id } = params;
    return changeEnvironment(ctx, { projectId, id, revision: ifMatch }, body);
  });
  http.serve(environments.refs, ({ params }) =>
    environmentRefs(ctx, params.project_id, params.environment_id),
  );
  http.serve(environments.remove, ({ params }) =>
    removeEnvironment(ctx, params.project_id, params.environment_id),
  );
}
