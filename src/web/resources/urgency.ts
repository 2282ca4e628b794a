import type { TaskStatus } from '#shared/task-status.ts';

// What failed or waits for somebody comes first.
const byUrgency: readonly TaskStatus[] = [
  'error',
  'waiting_confirmation',
  'stopping',
  'running',
  'starting',
  'waiting',
  'stopped',
  'confirmed',
  'success',
];

/** The place of a status in a list that is sorted by status; what was never launched is last. */
export function urgencyOf(status: TaskStatus | undefined): number {
  if (status === undefined) return byUrgency.length;
  return byUrgency.indexOf(status);
}
