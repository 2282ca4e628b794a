import { apps, type App } from '#shared/api/apps.ts';
import { noReferences } from '#shared/api/references.ts';
import type { Http } from '../../http/serve.ts';
import { listAppUsers } from './apps.store.ts';
import { listApps, removeApp, requireApp, saveApp, switchApp } from './apps.ts';

/** Only administrators see which programs the server starts, and with which arguments. */
const withoutProgram = (app: App): App => ({ ...app, path: '', args: [] });

export function appRoutes(http: Http): void {
  http.serve(apps.list, async ({ ctx, actor }) => {
    const list = await listApps(ctx);
    return actor.admin ? list : list.map(withoutProgram);
  });
  http.serve(apps.one, ({ ctx, params }) => requireApp(ctx, params.app_id));
  http.serve(apps.update, ({ ctx, params, body }) => saveApp(ctx, params.app_id, body));
  http.serve(apps.create, ({ ctx, params, body }) => saveApp(ctx, params.app_id, body));
  http.serve(apps.refs, async ({ ctx, params }) => {
    await requireApp(ctx, params.app_id);
    return { ...noReferences, templates: await listAppUsers(ctx.db, params.app_id) };
  });
  http.serve(apps.switch, ({ ctx, params, body }) => switchApp(ctx, params.app_id, body.active));
  http.serve(apps.remove, ({ ctx, params }) => removeApp(ctx, params.app_id));
}
