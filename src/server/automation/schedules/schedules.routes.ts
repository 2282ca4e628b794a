import { noReferences } from '#shared/api/references.ts';
import { schedules } from '#shared/api/schedules.ts';
import { type Http, requireOnStarted, shown } from '../../http/serve.ts';
import { forEachId } from '../../lib/bulk.ts';
import { getCalendar } from './calendar.ts';
import {
  answerCron,
  changeSchedule,
  createSchedule,
  removeSchedule,
  requireSchedule,
  getFires,
  getSchedules,
  getSchedulesOfTemplate,
  switchSchedule,
} from './schedules.ts';

export function scheduleRoutes(http: Http): void {
  http.serve(schedules.list, ({ ctx, params, query }) => {
    const { template_id: templateId, workflow_id: workflowId, ...rest } = query;
    return getSchedules(ctx, params.project_id, { ...rest, templateId, workflowId });
  });
  http.serve(schedules.ofTemplate, ({ ctx, params, query }) =>
    getSchedulesOfTemplate(ctx, params.project_id, params.template_id, query),
  );
  http.serve(schedules.calendar, ({ ctx, params, query }) =>
    getCalendar(ctx, params.project_id, query),
  );
  http.serve(schedules.create, async ({ ctx, params, body, access }) => {
    await requireOnStarted(access, 'schedule.edit', body);
    return createSchedule(ctx, params.project_id, body);
  });
  http.serve(schedules.validate, ({ ctx, body }) => answerCron(ctx, body));
  http.serve(schedules.one, ({ ctx, params }) =>
    requireSchedule(ctx, params.project_id, params.schedule_id),
  );
  http.serve(schedules.update, async ({ ctx, params, body, ifMatch, access }) => {
    const { project_id: projectId, schedule_id: id } = params;
    await requireOnStarted(access, 'schedule.edit', body);
    return changeSchedule(ctx, { projectId, id, revision: ifMatch }, body);
  });
  http.serve(schedules.refs, async ({ ctx, params }) => {
    await requireSchedule(ctx, params.project_id, params.schedule_id);
    return noReferences;
  });
  http.serve(schedules.switch, ({ ctx, params, body }) =>
    switchSchedule(ctx, params.project_id, params.schedule_id, body.active),
  );
  http.serve(schedules.bulk, ({ ctx, projectId, body: { ids, action } }) =>
    forEachId(ids, (id) =>
      action === 'delete'
        ? removeSchedule(ctx, projectId, id)
        : switchSchedule(ctx, projectId, id, action === 'enable'),
    ),
  );
  http.serve(schedules.fires, async (input) => {
    const { ctx, params, query } = input;
    return shown(input, await getFires(ctx, params.project_id, params.schedule_id, query));
  });
  http.serve(schedules.remove, ({ ctx, params }) =>
    removeSchedule(ctx, params.project_id, params.schedule_id),
  );
}
