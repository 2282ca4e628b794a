import { environments } from '#shared/api/environments.ts';
import { type Http, rightsOnEach } from '../../http/serve.ts';
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
  http.serve(environments.list, async ({ ctx, projectId, query, access }) => {
    const list = await environmentStore.list(ctx.db, projectId, query);
    const rightsOn = await rightsOnEach(access, 'environment');
    return list.map((environment) => shownEnvironment(environment, rightsOn(environment.id)));
  });
  http.serve(environments.create, ({ ctx, projectId, body }) =>
    createEnvironment(ctx, projectId, body),
  );
  http.serve(environments.one, async ({ ctx, projectId, id, access }) =>
    shownEnvironment(await getEnvironment(ctx, projectId, id), access.rights),
  );
  http.serve(environments.update, ({ ctx, projectId, id, body, ifMatch: revision }) =>
    changeEnvironment(ctx, { projectId, id, revision }, body),
  );
  http.serve(environments.refs, ({ ctx, projectId, id }) => environmentRefs(ctx, projectId, id));
  http.serve(environments.remove, ({ ctx, projectId, id }) =>
    removeEnvironment(ctx, projectId, id),
  );
}
