import { templates, type Template } from '#shared/api/templates.ts';
import { isCopiedTemplate } from '#shared/compatible/templates.ts';
import type { Context } from '../../context/context.ts';
import { type Http, shown } from '../../http/serve.ts';
import { forEachId } from '../../lib/bulk.ts';
import { changeValues } from './change-values.ts';
import {
  changeTemplate,
  copyTemplate,
  createWritten,
  listTemplates,
  listTemplatesOfView,
  removeTemplate,
  requireTemplate,
  templateRefs,
  type PlainTemplate,
} from './templates.ts';

/** Injected, because templates do not depend on tasks. */
export interface TasksOfTemplates {
  withLast: <T extends PlainTemplate>(
    ctx: Context,
    projectId: number,
    list: T[],
  ) => Promise<(T & Template)[]>;
  listUnfinished: (ctx: Context, projectId: number, templateId: number) => Promise<number[]>;
}

export function templateRoutes(http: Http, { withLast, listUnfinished }: TasksOfTemplates): void {
  const one = async <T extends PlainTemplate>(ctx: Context, projectId: number, template: T) => {
    const [whole] = await withLast(ctx, projectId, [template]);
    return whole ?? { ...template, last_task: null, last_task_id: null };
  };
  http.serve(templates.list, async (input) => {
    const { ctx, params, query } = input;
    const { items, next } = await listTemplates(ctx, params.project_id, query);
    return shown(input, { items: await withLast(ctx, params.project_id, items), next });
  });
  http.serve(templates.ofView, async (input) => {
    const { ctx, params, query } = input;
    const { project_id: projectId, view_id: viewId } = params;
    const { items, next } = await listTemplatesOfView(ctx, projectId, viewId, query);
    return shown(input, { items: await withLast(ctx, projectId, items), next });
  });
  http.serve(templates.create, async ({ ctx, params, body, request }) => {
    const { project_id: projectId } = params;
    const create = isCopiedTemplate(request.body) ? copyTemplate : createWritten;
    return one(ctx, projectId, await create(ctx, projectId, body));
  });
  http.serve(templates.one, async ({ ctx, params }) =>
    one(ctx, params.project_id, await requireTemplate(ctx, params.project_id, params.template_id)),
  );
  http.serve(templates.update, ({ ctx, params, body, ifMatch, access }) => {
    const { project_id: projectId, template_id: id } = params;
    return changeTemplate(ctx, { projectId, id, revision: ifMatch }, body, access);
  });
  http.serve(templates.refs, ({ ctx, params }) =>
    templateRefs(ctx, params.project_id, params.template_id),
  );
  const remove = async (ctx: Context, projectId: number, id: number) =>
    removeTemplate(ctx, projectId, id, await listUnfinished(ctx, projectId, id));
  http.serve(templates.remove, ({ ctx, params }) =>
    remove(ctx, params.project_id, params.template_id),
  );
  http.serve(templates.bulk, ({ ctx, projectId, requireUses, body, access }) => {
    const { ids, action, values = {} } = body;
    const schema = templates.update.body;
    const check = (value: PlainTemplate) => requireUses({ schema, value, ofEndpoint: null });
    return forEachId(ids, (id) =>
      action === 'delete'
        ? remove(ctx, projectId, id)
        : changeValues(ctx, projectId, id, { values, check, mover: access }),
    );
  });
}
