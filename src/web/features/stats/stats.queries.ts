import { shownDays, stats } from '#shared/api/stats.ts';
import { query } from '../../lib/query.ts';

/** The time zone of the browser, in which the server counts the days. */
const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export const statsQueries = {
  ofProject: (projectId: number) =>
    query(stats.ofProject, {
      params: { project_id: projectId },
      query: { days: shownDays, time_zone: timeZone() },
    }),
};
