import { tasks } from '#shared/api/tasks.ts';
import { query, send } from '../../lib/query.ts';

export const taskQueries = {
  last: (projectId: number) => query(tasks.last, { params: { project_id: projectId } }),
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
const lists = [tasks.last, tasks.lastOfTemplate];
export const startTask = () => send(tasks.start, { refresh: lists });
export const confirmTask = () => send(tasks.confirm, { refresh: [tasks.one] });
export const stopTask = () => send(tasks.stop, { refresh: [tasks.one] });
