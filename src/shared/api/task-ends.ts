// The endpoints that stop, confirm, reject or delete a task.

import { z } from 'zod';
import { idOf, initially } from '../fields.ts';
import { endpoint } from './endpoint.ts';
import { inProject } from './projects.ts';

/** With `force` the programs are killed. */
const stopping = z.strictObject({ force: initially(z.boolean(), false) });

const params = inProject.extend({ task_id: idOf('task.not_found') });

export const taskEndEndpoints = {
  remove: endpoint.delete('/api/project/:project_id/tasks/:task_id', {
    permission: 'manage_resources',
    summary: 'Delete a finished task with its log',
    params,
    refuses: ['task.wrong_status'],
  }),
  stopAll: endpoint.post('/api/project/:project_id/templates/:template_id/stop_all_tasks', {
    permission: 'run_tasks',
    forOthers: true,
    summary: 'Stop all unfinished tasks of a template; with `force` at once',
    params: inProject.extend({ template_id: idOf('template.not_found') }),
    body: stopping,
    optionalBody: true,
  }),
  confirm: endpoint.post('/api/project/:project_id/tasks/:task_id/confirm', {
    permission: 'run_tasks',
    summary: 'Confirm a task that waits for it',
    params,
    refuses: ['task.wrong_status'],
  }),
  reject: endpoint.post('/api/project/:project_id/tasks/:task_id/reject', {
    permission: 'run_tasks',
    forOthers: true,
    summary: 'Stop a task that waits for a confirmation; refused in every other state',
    params,
    refuses: ['task.wrong_status'],
  }),
  stop: endpoint.post('/api/project/:project_id/tasks/:task_id/stop', {
    permission: 'run_tasks',
    summary: 'Stop a task; with `force` its processes are killed at once',
    params,
    body: stopping,
    optionalBody: true,
    refuses: ['task.wrong_status'],
  }),
};
