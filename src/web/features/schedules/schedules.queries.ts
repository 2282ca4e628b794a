import { queryOptions } from '@tanstack/react-query';
import { type CronAnswer, type Schedule, schedules } from '#shared/api/schedules.ts';
import { call } from '../../lib/api.ts';
import { query, queryPage, send } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';
import { loadCronSentence } from './cron-sentence.ts';

/** The name of a schedule; by default that of its target. */
export const nameOf = ({
  name,
  tpl_name,
  workflow_name,
}: Pick<Schedule, 'name' | 'tpl_name' | 'workflow_name'>): string =>
  name || (tpl_name ?? workflow_name ?? '');

export const scheduleResource = defineResource({
  noun: 'schedule',
  endpoints: schedules,
  alsoRefresh: [schedules.ofTemplate],
  nameOf: (schedule: Schedule) => nameOf(schedule),
});

const pageSize = 50;

export const scheduleQueries = {
  dueNext: (projectId: number, limit: number) =>
    query(schedules.list, {
      params: { project_id: projectId },
      query: { starts: 'all', sort: 'next_due', limit },
    }),
  list: (projectId: number) =>
    query(schedules.list, { params: { project_id: projectId }, query: { starts: 'all' } }),
  calendar: (projectId: number, from: string, zone: string) =>
    query(schedules.calendar, {
      params: { project_id: projectId },
      query: { from, days: 7, time_zone: zone },
    }),
  ofWorkflow: (projectId: number, workflowId: number) =>
    query(schedules.list, {
      params: { project_id: projectId },
      query: { starts: 'workflows', workflow_id: workflowId },
    }),
  one: (projectId: number, scheduleId: number) =>
    query(schedules.one, { params: { project_id: projectId, schedule_id: scheduleId } }),
  fires: (projectId: number, scheduleId: number, before: number | undefined) =>
    queryPage(schedules.fires, {
      params: { project_id: projectId, schedule_id: scheduleId },
      query: { limit: pageSize, before },
    }),
  ofTemplate: (projectId: number, templateId: number) =>
    query(schedules.ofTemplate, { params: { project_id: projectId, template_id: templateId } }),
  /** The next due times of a cron expression; an empty time zone is that of the server. */
  next: (projectId: number, text: string, zone: string) => {
    const params = { project_id: projectId };
    const body = { cron_format: text, time_zone: zone || undefined, count: 5 };
    return queryOptions<CronAnswer>({
      queryKey: [schedules.validate.path, params, body],
      queryFn: () => call(schedules.validate, { params, body }),
      retry: false,
    });
  },
  sentence: () =>
    queryOptions({
      queryKey: ['cron sentence', {}, {}],
      queryFn: loadCronSentence,
      staleTime: Infinity,
    }),
};
export const switchSchedule = () =>
  send(schedules.switch, { refresh: [schedules.list, schedules.ofTemplate, schedules.one] });
