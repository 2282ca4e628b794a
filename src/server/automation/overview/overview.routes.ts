import { overview } from '#shared/api/overview.ts';
import type { Http } from '../../http/serve.ts';
import {
  pinTemplate,
  searchAll,
  getPins,
  getProjectsOfAll,
  getTasksOfAll,
  unpinTemplate,
} from './overview.ts';
import type { PinKey } from './overview.store.ts';

interface PinInput {
  actor: { userId: number };
  params: { project_id: number; template_id: number };
}

const keyOf = ({ actor: { userId }, params }: PinInput): PinKey => ({
  userId,
  projectId: params.project_id,
  templateId: params.template_id,
});

export function overviewRoutes(http: Http): void {
  http.serve(overview.tasks, ({ ctx, actor, query }) => getTasksOfAll(ctx, actor, query));
  http.serve(overview.projects, ({ ctx, actor, query }) => getProjectsOfAll(ctx, actor, query));
  http.serve(overview.pins, ({ ctx, actor }) => getPins(ctx, actor));
  http.serve(overview.search, ({ ctx, actor, query }) => searchAll(ctx, actor, query));
  http.serve(overview.pin, (input) => pinTemplate(input.ctx, keyOf(input)));
  http.serve(overview.unpin, (input) => unpinTemplate(input.ctx, keyOf(input)));
}
