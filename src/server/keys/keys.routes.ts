import { keys } from '#shared/api/keys.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import { changeKey, createKey, keyRefs, removeKey, requireKey } from './keys.ts';
import { keyStore } from './keys.store.ts';

export function keyRoutes(http: Http, ctx: Context): void {
  http.serve(keys.list, ({ params, query }) => keyStore.list(ctx.db, params.project_id, query));
  http.serve(keys.create, ({ params, body }) => createKey(ctx, params.project_id, body));
  http.serve(keys.one, ({ params }) => requireKey(ctx, params.project_id, params.key_id));
  http.serve(keys.update, ({ params, body, ifMatch }) =>
    changeKey(ctx, { projectId: params.project_id, id: params.key_id, revision: ifMatch }, body),
  );
  http.serve(keys.refs, ({ params }) => keyRefs(ctx, params.project_id, params.key_id));
  http.serve(keys.remove, ({ params }) => removeKey(ctx, params.project_id, params.key_id));
}
