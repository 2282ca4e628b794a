// The endpoints that stop, confirm, reject or delete a task, or many.

import { z } from 'zod';
import { initially, using } from '../fields.ts';
import { bulkIds, bulkLaunch } from './bulk.ts';
import { endpoint } from './endpoint.ts';

/** With `force` the programs are killed. */
const stopping = z.strictObject({ force: initially(z.boolean(), false) });

/** The tasks of a bulk restart. */
export const restarted = z.object({ ids: using('task.restart', bulkIds) });

export const taskEndEndpoints = {
  remove: endpoint.delete('/api/project/:project_id/tasks/:task_id', {
    permission: 'task.delete',
    summary: 'Delete a finished task with its log',
    refuses: ['task.wrong_status'],
  }),
  stopAll: endpoint.post('/api/project/:project_id/templates/:template_id/stop_all_tasks', {
    permission: 'task.stop',
    forOthers: true,
    summary: 'Stop all unfinished tasks of a template; with `force` at once',
    body: stopping,
    optionalBody: true,
  }),
  confirm: endpoint.post('/api/project/:project_id/tasks/:task_id/confirm', {
    permission: 'task.confirm',
    summary: 'Confirm a task that waits for it',
    refuses: ['task.wrong_status', 'task.confirm_by_other'],
  }),
  reject: endpoint.post('/api/project/:project_id/tasks/:task_id/reject', {
    permission: 'task.confirm',
    summary: 'Stop a task that waits for a confirmation; refused in every other state',
    refuses: ['task.wrong_status'],
  }),
  stop: endpoint.post('/api/project/:project_id/tasks/:task_id/stop', {
    permission: 'task.stop',
    summary: 'Stop a task; with `force` its processes are killed at once',
    body: stopping,
    optionalBody: true,
    refuses: ['task.wrong_status'],
  }),
  bulk: endpoint.post('/api/project/:project_id/tasks/bulk', {
    permission: 'task.stop',
    summary:
      'Stop up to 500 tasks, or launch each again as `restart` does; the reply has the result of each',
    body: z.strictObject({ action: z.enum(['stop', 'restart']), ids: using('task.stop', bulkIds) }),
    reply: z.array(bulkLaunch),
  }),
};
