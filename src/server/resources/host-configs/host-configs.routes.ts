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
  http.serve(hostConfigs.list, ({ ctx, params, query }) =>
    listHostConfigs(ctx.db, params.project_id, query),
  );
  http.serve(hostConfigs.create, ({ ctx, params, body }) =>
    createHostConfig(ctx, params.project_id, body),
  );
  http.serve(hostConfigs.one, ({ ctx, params }) =>
    requireHostConfig(ctx, params.project_id, params.host_config_id),
  );
  http.serve(hostConfigs.update, ({ ctx, params, body, ifMatch }) => {
    const { project_id: projectId, host_config_id: id } = params;
    return changeHostConfig(ctx, { projectId, id, revision: ifMatch }, body);
  });
  http.serve(hostConfigs.remove, ({ ctx, params }) =>
    removeHostConfig(ctx, params.project_id, params.host_config_id),
  );
}
