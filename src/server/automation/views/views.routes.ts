import { views } from '#shared/api/views.ts';
import { type Http, requireRight } from '../../http/serve.ts';
import { changeView, createView, placeViews, removeView, requireView } from './views.ts';
import { listViews } from './views.store.ts';

export function viewRoutes(http: Http): void {
  http.serve(views.list, ({ ctx, params }) => listViews(ctx.db, params.project_id));
  http.serve(views.create, ({ ctx, params, body }) => createView(ctx, params.project_id, body));
  http.serve(views.place, async ({ ctx, params, body, access }) => {
    const objects = await access.objects?.();
    const seen = Object.keys(body).map((id) => ({ type: 'view' as const, id: Number(id) }));
    for (const view of seen.filter((one) => objects?.sees(one))) {
      requireRight({ rights: objects?.on(view) ?? access.rights }, 'view.edit');
    }
    return placeViews(ctx, params.project_id, body);
  });
  http.serve(views.one, ({ ctx, params }) => requireView(ctx, params.project_id, params.view_id));
  http.serve(views.update, ({ ctx, params, body, ifMatch }) =>
    changeView(ctx, { projectId: params.project_id, id: params.view_id, revision: ifMatch }, body),
  );
  http.serve(views.remove, ({ ctx, params, access }) =>
    removeView(ctx, params.project_id, params.view_id, access),
  );
}
