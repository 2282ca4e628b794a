import { hostConfigs } from '#shared/api/host-configs.ts';
import type { Http } from '../../http/serve.ts';
import {
  changeHostConfig,
  createHostConfig,
  listHostConfigs,
  removeHostConfig,
  requireHostConfig,
} from './host-configs.ts';

export function hostConfigRoutes(http: Http): void {
  http.serve(hostConfigs.list, ({ ctx, projectId, query }) =>
    listHostConfigs(ctx.db, projectId, query),
  );
  http.serve(hostConfigs.create, ({ ctx, projectId, body }) =>
    createHostConfig(ctx, projectId, body),
  );
  http.serve(hostConfigs.one, ({ ctx, projectId, id }) => requireHostConfig(ctx, projectId, id));
  http.serve(hostConfigs.update, ({ ctx, projectId, id, body, ifMatch: revision }) =>
    changeHostConfig(ctx, { projectId, id, revision }, body),
  );
  http.serve(hostConfigs.remove, ({ ctx, projectId, id }) => removeHostConfig(ctx, projectId, id));
}
