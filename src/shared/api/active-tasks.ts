import { z } from 'zod';
import { taskStatuses } from '../task-status.ts';
import { endpoint } from './endpoint.ts';
import { id, idOf, time } from '../fields.ts';
import { launcher } from './launcher.ts';
import { waitingFor } from './tasks.ts';

const activeTask = z.object({
  task_id: id,
  project_id: id,
  project_name: z.string(),
  template_id: id,
  template_name: z.string(),
  /** Login of the user who launched the task; empty: no user did. */
  username: z.string(),
  /** What launched the task; null: a user did. */
  launcher: launcher.nullable(),
  /** The runner of the task; null: the server's own. */
  runner_id: id.nullable(),
  runner_name: z.string(),
  status: z.enum(taskStatuses),
  /** Whether the task only shows what it would change. */
  dry_run: z.boolean(),
  location: z.enum(['queue', 'running']),
  created: time,
  start: time.nullable(),
  waiting_for: waitingFor,
});
export type ActiveTask = z.output<typeof activeTask>;

const params = { task_id: idOf('task.not_active') };

export const activeTasks = {
  list: endpoint.get('/api/tasks', {
    permission: 'admin',
    summary: 'The unfinished tasks of all projects, the oldest first',
    reply: z.array(activeTask),
  }),
  one: endpoint.get('/api/tasks/:task_id', {
    permission: 'admin',
    forOthers: true,
    summary: 'One unfinished task of any project',
    params,
    reply: activeTask,
  }),
  stop: endpoint.delete('/api/tasks/:task_id', {
    permission: 'admin',
    summary: 'Stop a task of any project',
    params,
  }),
};
