import { tasks } from '#shared/api/tasks.ts';
import { query, queryPage, send } from '../../lib/query.ts';
import type { TaskFilter } from './task-filter.ts';

/** How many unfinished tasks the dashboard looks at. */
export const unfinishedLimit = 100;

const pageSize = 20;

export const taskQueries = {
  /** A page of the history, from the newest on. */
  page: (projectId: number, { status, template, user, q }: TaskFilter, before?: number) =>
    queryPage(tasks.list, {
      params: { project_id: projectId },
      query: {
        ...(status === 'unfinished' ? { state: status } : { status }),
        template_id: template,
        user_id: user,
        q,
        before,
        limit: pageSize,
      },
    }),
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
  /** The successful tasks of a template: what a deploy can take. */
  builds: (projectId: number, templateId: number) =>
    query(tasks.ofTemplate, {
      params: { project_id: projectId, template_id: templateId },
      query: { status: 'success', limit: 100 },
    }),
  one: (projectId: number, taskId: number) =>
    query(tasks.one, { params: { project_id: projectId, task_id: taskId } }),
  hosts: (projectId: number, taskId: number) =>
    query(tasks.hosts, { params: { project_id: projectId, task_id: taskId } }),
};
const lists = [tasks.list, tasks.lastOfTemplate];
export const startTask = () => send(tasks.start, { refresh: lists });
export const confirmTask = () => send(tasks.confirm, { refresh: [tasks.one] });
export const stopTask = () => send(tasks.stop, { refresh: [tasks.one] });
