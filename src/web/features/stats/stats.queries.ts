import { shownDays, stats } from '#shared/api/stats.ts';
import { query } from '../../lib/query.ts';

/** Where the person is, whose days are counted. */
const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export const statsQueries = {
  ofProject: (projectId: number) =>
    query(stats.ofProject, {
      params: { project_id: projectId },
      query: { days: shownDays, time_zone: timeZone() },
    }),
};
