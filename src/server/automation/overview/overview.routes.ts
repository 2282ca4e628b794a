import { overview } from '#shared/api/overview.ts';
import type { Http } from '../../http/serve.ts';
import { pinTemplate, searchAll, getPins, getTasksOfAll, unpinTemplate } from './overview.ts';

export function overviewRoutes(http: Http): void {
  http.serve(overview.tasks, ({ ctx, actor }) => getTasksOfAll(ctx, actor));
  http.serve(overview.pins, ({ ctx, actor }) => getPins(ctx, actor));
  http.serve(overview.search, ({ ctx, actor, query }) => searchAll(ctx, actor, query));
  http.serve(overview.pin, ({ ctx, actor, params }) =>
    pinTemplate(ctx, {
      userId: actor.userId,
      projectId: params.project_id,
      templateId: params.template_id,
    }),
  );
  http.serve(overview.unpin, ({ ctx, actor, params }) =>
    unpinTemplate(ctx, {
      userId: actor.userId,
      projectId: params.project_id,
      templateId: params.template_id,
    }),
  );
}
