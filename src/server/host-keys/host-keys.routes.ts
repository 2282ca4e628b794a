import { hostKeys } from '#shared/api/host-keys.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import { listHostKeys, removeHostKey, removeHostKeys } from './host-keys.ts';

export function hostKeyRoutes(http: Http, ctx: Context): void {
  http.serve(hostKeys.list, ({ params }) => listHostKeys(ctx, params.project_id));
  http.serve(hostKeys.remove, ({ params }) =>
    removeHostKey(ctx, params.project_id, params.host_key_id),
  );
  http.serve(hostKeys.removeAll, ({ params }) => removeHostKeys(ctx, params.project_id));
}
