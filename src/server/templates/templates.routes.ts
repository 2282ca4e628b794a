import { templates } from '#shared/api/templates.ts';
import type { Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import {
  changeTemplate,
  createTemplate,
  listTemplates,
  listTemplatesOfView,
  removeTemplate,
  requireTemplate,
  templateRefs,
} from './templates.ts';

export function templateRoutes(http: Http, ctx: Context): void {
  http.serve(templates.list, ({ params, query }) => listTemplates(ctx, params.project_id, query));
  http.serve(templates.ofView, ({ params, query }) =>
    listTemplatesOfView(ctx, params.project_id, params.view_id, query),
  );
  http.serve(templates.create, ({ params, body }) => createTemplate(ctx, params.project_id, body));
  http.serve(templates.one, ({ params }) =>
    requireTemplate(ctx, params.project_id, params.template_id),
  );
  http.serve(templates.update, ({ params, body, ifMatch }) => {
    const { project_id: projectId, template_id: id } = params;
    return changeTemplate(ctx, { projectId, id, revision: ifMatch }, body);
  });
  http.serve(templates.refs, ({ params }) =>
    templateRefs(ctx, params.project_id, params.template_id),
  );
  http.serve(templates.remove, ({ params }) =>
    removeTemplate(ctx, params.project_id, params.template_id),
  );
}
