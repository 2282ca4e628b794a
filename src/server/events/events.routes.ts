import { events } from '#shared/api/events.ts';
import { shown, type Http, type Input } from '../http/serve.ts';
import { allEvents, getEvents, type EventScope, asCsv, asJson } from './events.ts';

const newest = <Q extends { limit?: number | undefined }>(query: Q): Q => ({
  limit: 200,
  ...query,
});

type Exports = typeof events.export | typeof events.exportOfProject;

export function eventRoutes(http: Http): void {
  const all = async (input: Input<typeof events.list>, query = input.query) => {
    const { ctx, actor } = input;
    const scope = actor.admin ? {} : { userId: actor.userId };
    return shown(input, await getEvents(ctx, scope, query, actor.admin));
  };
  http.serve(events.list, (input) => all(input));
  http.serve(events.last, (input) => all(input, newest(input.query)));

  const ofProject = async (input: Input<typeof events.ofProject>, query = input.query) => {
    const { ctx, params, access } = input;
    const scope = { projectId: params.project_id };
    return shown(input, await getEvents(ctx, scope, query, access.rights.has('event.audit')));
  };
  http.serve(events.ofProject, (input) => ofProject(input));
  http.serve(events.lastOfProject, (input) => ofProject(input, newest(input.query)));

  http.serve(events.export, (input) => exported(input, {}));
  http.serve(events.exportOfProject, (input) =>
    exported(input, { projectId: input.params.project_id }),
  );
}

function exported({ ctx, query, reply }: Input<Exports>, scope: EventScope): AsyncIterable<string> {
  const { format, ...filter } = query;
  reply.header('Content-Disposition', `attachment; filename="events.${format}"`);
  const pages = allEvents(ctx, scope, filter);
  return format === 'csv' ? asCsv(pages) : asJson(pages);
}
