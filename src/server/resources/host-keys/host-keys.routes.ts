import { hostKeys } from '#shared/api/host-keys.ts';
import type { Http } from '../../http/serve.ts';
import { listHostKeys, removeHostKey, removeHostKeys } from './host-keys.ts';

export function hostKeyRoutes(http: Http): void {
  http.serve(hostKeys.list, ({ ctx, params }) => listHostKeys(ctx, params.project_id));
  http.serve(hostKeys.remove, ({ ctx, params }) =>
    removeHostKey(ctx, params.project_id, params.host_key_id),
  );
  http.serve(hostKeys.removeAll, ({ ctx, params }) => removeHostKeys(ctx, params.project_id));
}
