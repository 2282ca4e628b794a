import { repositories } from '#shared/api/repositories.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import {
  changeRepository,
  createRepository,
  removeRepository,
  repositoryRefs,
  requireRepository,
} from './repositories.ts';
import { repositoryStore } from './repositories.store.ts';

export function repositoryRoutes(http: Http, ctx: Context): void {
  http.serve(repositories.list, ({ params, query }) =>
    repositoryStore.list(ctx.db, params.project_id, query),
  );
  http.serve(repositories.create, ({ params, body }) =>
    createRepository(ctx, params.project_id, body),
  );
  http.serve(repositories.one, ({ params }) =>
    requireRepository(ctx, params.project_id, params.repository_id),
  );
  http.serve(repositories.update, ({ params, body, ifMatch }) => {
    const { project_id: projectId, repository_id: id } = params;
    return changeRepository(ctx, { projectId, id, revision: ifMatch }, body);
  });
  http.serve(repositories.refs, ({ params }) =>
    repositoryRefs(ctx, params.project_id, params.repository_id),
  );
  http.serve(repositories.remove, ({ params }) =>
    removeRepository(ctx, params.project_id, params.repository_id),
  );
}
