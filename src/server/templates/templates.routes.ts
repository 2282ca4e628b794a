import { templates } from '#shared/api/templates.ts';
import { shown, type Http } from '../http/serve.ts';
import {
  changeTemplate,
  createTemplate,
  listTemplates,
  listTemplatesOfView,
  removeTemplate,
  requireTemplate,
  templateRefs,
} from './templates.ts';

export function templateRoutes(http: Http): void {
  http.serve(templates.list, async (input) => {
    const { ctx, params, query } = input;
    return shown(input, await listTemplates(ctx, params.project_id, query));
  });
  http.serve(templates.ofView, async (input) => {
    const { ctx, params, query } = input;
    const { project_id: projectId, view_id: viewId } = params;
    return shown(input, await listTemplatesOfView(ctx, projectId, viewId, query));
  });
  http.serve(templates.create, ({ ctx, params, body }) =>
    createTemplate(ctx, params.project_id, body),
  );
  http.serve(templates.one, ({ ctx, params }) =>
    requireTemplate(ctx, params.project_id, params.template_id),
  );
  http.serve(templates.update, ({ ctx, params, body, contradictions, ifMatch }) => {
    const { project_id: projectId, template_id: id } = params;
    return changeTemplate(ctx, { projectId, id, revision: ifMatch }, body, contradictions);
  });
  http.serve(templates.refs, ({ ctx, params }) =>
    templateRefs(ctx, params.project_id, params.template_id),
  );
  http.serve(templates.remove, ({ ctx, params }) =>
    removeTemplate(ctx, params.project_id, params.template_id),
  );
}
