import { views } from '#shared/api/views.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import { changeView, createView, placeViews, removeView, requireView } from './views.ts';
import { listViews } from './views.store.ts';

export function viewRoutes(http: Http, ctx: Context): void {
  http.serve(views.list, ({ params }) => listViews(ctx.db, params.project_id));
  http.serve(views.create, ({ params, body }) => createView(ctx, params.project_id, body));
  http.serve(views.place, ({ params, body }) => placeViews(ctx, params.project_id, body));
  http.serve(views.one, ({ params }) => requireView(ctx, params.project_id, params.view_id));
  http.serve(views.update, ({ params, body, ifMatch }) =>
    changeView(ctx, { projectId: params.project_id, id: params.view_id, revision: ifMatch }, body),
  );
  http.serve(views.remove, ({ params }) => removeView(ctx, params.project_id, params.view_id));
}
