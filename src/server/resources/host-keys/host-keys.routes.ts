import { hostKeys } from '#shared/api/host-keys.ts';
import type { Http } from '../../http/serve.ts';
import { listHostKeys, removeHostKey, removeHostKeys } from './host-keys.ts';

export function hostKeyRoutes(http: Http): void {
  http.serve(hostKeys.list, ({ ctx, projectId }) => listHostKeys(ctx, projectId));
  http.serve(hostKeys.remove, ({ ctx, projectId, id }) => removeHostKey(ctx, projectId, id));
  http.serve(hostKeys.removeAll, ({ ctx, projectId }) => removeHostKeys(ctx, projectId));
}
