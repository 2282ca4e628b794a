import { schedules } from '#shared/api/schedules.ts';
import { query } from '../../lib/query.ts';

export const scheduleQueries = {
  /** Those that are due next. */
  next: (projectId: number, limit: number) =>
    query(schedules.list, {
      params: { project_id: projectId },
      query: { sort: 'next_due', limit },
    }),
};
