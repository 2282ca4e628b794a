import type { TaskStatus } from '#shared/task-status.ts';
import type { BarResult } from '../ui/charts/bar-shapes.ts';

const results: Partial<Record<TaskStatus, BarResult>> = {
  success: 'success',
  error: 'error',
  stopped: 'stopped',
};

/** How charts draw a task. */
export const barResultOf = (status: TaskStatus): BarResult => results[status] ?? 'running';
