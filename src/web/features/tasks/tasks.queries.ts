import { MAX_BULK_IDS } from '#shared/api/bulk.ts';
import { overview } from '#shared/api/overview.ts';
import { tasks } from '#shared/api/tasks.ts';
import { query, queryPage, send } from '../../lib/query.ts';
import { type TaskFilter, toQuery } from './task-filter.ts';

export const unfinishedLimit = 100;

const pageSize = 20;

const changesStaleMs = 10 * 60_000;

export const taskQueries = {
  /** A page of the history, from the newest on. */
  page: (projectId: number, filter: TaskFilter, before?: number) =>
    queryPage(tasks.list, {
      params: { project_id: projectId },
      query: { ...toQuery(filter), before, limit: pageSize },
    }),
  /** As many as one bulk call accepts. */
  firstMatching: (projectId: number, filter: TaskFilter) => ({
    ...queryPage(tasks.list, {
      params: { project_id: projectId },
      query: { ...toQuery(filter), limit: MAX_BULK_IDS },
    }),
    staleTime: 0,
  }),
  count: (projectId: number, filter: TaskFilter) =>
    query(tasks.count, { params: { project_id: projectId }, query: toQuery(filter) }),
  unfinished: (projectId: number) =>
    query(tasks.list, {
      params: { project_id: projectId },
      query: { state: 'unfinished', limit: unfinishedLimit },
    }),
  lastOfTemplate: (projectId: number, templateId: number, limit?: number) =>
    query(tasks.lastOfTemplate, {
      params: { project_id: projectId, template_id: templateId },
      query: { limit },
    }),
  builds: (projectId: number, templateId: number) =>
    query(tasks.ofTemplate, {
      params: { project_id: projectId, template_id: templateId },
      query: { status: 'success', limit: 100 },
    }),
  plan: (projectId: number, taskId: number) =>
    query(tasks.plan, { params: { project_id: projectId, task_id: taskId } }),
  outputs: (projectId: number, taskId: number) =>
    query(tasks.outputs, { params: { project_id: projectId, task_id: taskId } }),
  one: (projectId: number, taskId: number) =>
    query(tasks.one, { params: { project_id: projectId, task_id: taskId } }),
  changes: (projectId: number, taskId: number) => ({
    ...query(tasks.changes, { params: { project_id: projectId, task_id: taskId } }),
    // Both tasks have ended; only the commits between them may become known later.
    staleTime: changesStaleMs,
  }),
};
const lists = [tasks.list, tasks.count, tasks.lastOfTemplate];
export const startTask = () => send(tasks.start, { refresh: lists });
export const restartTask = () => send(tasks.restart, { refresh: lists });
const shown = [tasks.one, overview.tasks];
export const confirmTask = () => send(tasks.confirm, { refresh: shown });
export const rejectTask = () => send(tasks.reject, { refresh: shown });
export const stopTask = () => send(tasks.stop, { refresh: shown });
