import { apps, type App } from '#shared/api/apps.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import { listApps, removeApp, requireApp, saveApp, switchApp } from './apps.ts';

/** What the server starts, and how, is for administrators. */
const withoutProgram = (app: App): App => ({ ...app, path: '', args: [] });

export function appRoutes(http: Http, ctx: Context): void {
  http.serve(apps.list, async ({ actor }) => {
    const list = await listApps(ctx);
    return actor.admin ? list : list.map(withoutProgram);
  });
  http.serve(apps.one, ({ params }) => requireApp(ctx, params.app_id));
  http.serve(apps.update, ({ params, body }) => saveApp(ctx, params.app_id, body));
  http.serve(apps.create, ({ params, body }) => saveApp(ctx, params.app_id, body));
  http.serve(apps.switch, ({ params, body }) => switchApp(ctx, params.app_id, body.active));
  http.serve(apps.remove, ({ params }) => removeApp(ctx, params.app_id));
}
