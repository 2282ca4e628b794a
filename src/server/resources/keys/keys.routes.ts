import { keys } from '#shared/api/keys.ts';
import type { Http } from '../../http/serve.ts';
import { changeKey, createKeyOnce, keyRefs, removeKey, requireKey } from './keys.ts';
import { listKeysOf } from './keys.store.ts';

export function keyRoutes(http: Http): void {
  http.serve(keys.list, ({ ctx, params, query }) => listKeysOf(ctx.db, params.project_id, query));
  http.serve(keys.create, ({ ctx, params, body }) => createKeyOnce(ctx, params.project_id, body));
  http.serve(keys.one, ({ ctx, params }) => requireKey(ctx, params.project_id, params.key_id));
  http.serve(keys.update, ({ ctx, params, body, ifMatch }) =>
    changeKey(ctx, { projectId: params.project_id, id: params.key_id, revision: ifMatch }, body),
  );
  http.serve(keys.refs, ({ ctx, params }) => keyRefs(ctx, params.project_id, params.key_id));
  http.serve(keys.remove, ({ ctx, params }) => removeKey(ctx, params.project_id, params.key_id));
}
