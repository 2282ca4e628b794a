import { activeTasks } from '#shared/api/active-tasks.ts';
import { tasks } from '#shared/api/tasks.ts';
import { query, send } from '../../lib/query.ts';

// The websocket sends no changes of all projects, so the list is polled.
const every = 3000;

export const activeTaskQueries = {
  list: () => ({ ...query(activeTasks.list), refetchInterval: every }),
};
export const stopActiveTask = () => send(tasks.stop, { refresh: [activeTasks.list] });
