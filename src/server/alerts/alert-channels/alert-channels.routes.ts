import { alertChannels } from '#shared/api/alert-channels.ts';
import type { Http } from '../../http/serve.ts';
import {
  changeChannel,
  createChannel,
  listChannels,
  removeChannel,
  requireChannel,
  testChannel,
  testChannels,
} from './alert-channels.ts';

export function alertChannelRoutes(http: Http): void {
  http.serve(alertChannels.list, ({ ctx, params, query }) =>
    listChannels(ctx, params.project_id, query),
  );
  http.serve(alertChannels.create, ({ ctx, params, body }) =>
    createChannel(ctx, params.project_id, body),
  );
  http.serve(alertChannels.one, ({ ctx, params }) =>
    requireChannel(ctx, params.project_id, params.alert_channel_id),
  );
  http.serve(alertChannels.update, ({ ctx, params, body, ifMatch }) => {
    const { project_id: projectId, alert_channel_id: id } = params;
    return changeChannel(ctx, { projectId, id, revision: ifMatch }, body);
  });
  http.serve(alertChannels.remove, ({ ctx, params }) =>
    removeChannel(ctx, params.project_id, params.alert_channel_id),
  );
  http.serve(alertChannels.testAll, ({ ctx, params }) => testChannels(ctx, params.project_id));
  http.serve(alertChannels.test, ({ ctx, params }) =>
    testChannel(ctx, params.project_id, params.alert_channel_id),
  );
}
