import { activeTasks } from '#shared/api/active-tasks.ts';
import type { Http } from '../../http/serve.ts';
import { requireActiveTask, getActiveTasks, stopActiveTask } from './active-tasks.ts';

export function activeTaskRoutes(http: Http): void {
  http.serve(activeTasks.list, ({ ctx }) => getActiveTasks(ctx));
  http.serve(activeTasks.one, ({ ctx, params }) => requireActiveTask(ctx, params.task_id));
  http.serve(activeTasks.stop, ({ ctx, params }) => stopActiveTask(ctx, params.task_id));
}
