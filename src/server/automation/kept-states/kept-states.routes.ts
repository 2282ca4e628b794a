import { keptStates } from '#shared/api/kept-states.ts';
import type { Context } from '../../context/context.ts';
import type { Http } from '../../http/serve.ts';
import { listStates, listStatesOfProject, takeState, type AskRunner } from './kept-states.ts';

type ListUnfinished = (ctx: Context, projectId: number, templateId: number) => Promise<number[]>;

export function keptStateRoutes(
  http: Http,
  inspections: { ask: AskRunner },
  listUnfinished: ListUnfinished,
): void {
  const ask: AskRunner = (runnerId, inspection) => inspections.ask(runnerId, inspection);
  http.serve(keptStates.ofProject, ({ ctx, params }) =>
    listStatesOfProject(ctx, ask, params.project_id),
  );
  http.serve(keptStates.list, ({ ctx, actor, params }) => {
    const { project_id: projectId, template_id: templateId } = params;
    return listStates(ctx, ask, { projectId, templateId, isAdmin: actor.admin });
  });
  http.serve(keptStates.take, async ({ ctx, actor, params, body }) => {
    const { project_id: projectId, template_id: templateId } = params;
    const unfinished = await listUnfinished(ctx, projectId, templateId);
    const request = { projectId, templateId, isAdmin: actor.admin, unfinished };
    await takeState(ctx, ask, request, body);
  });
}
