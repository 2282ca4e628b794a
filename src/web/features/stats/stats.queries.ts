import { shownDays, stats } from '#shared/api/stats.ts';
import { query } from '../../lib/query.ts';

/** The time zone of the browser, in which the server counts the days. */
function timeZone(): string {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  // Where TZ holds no name of a zone, browsers call theirs "Etc/Unknown" or "+05:00".
  return /^[A-Z]/.test(zone) && zone !== 'Etc/Unknown' ? zone : 'UTC';
}

export const statsQueries = {
  ofProject: (projectId: number) =>
    query(stats.ofProject, {
      params: { project_id: projectId },
      query: { days: shownDays, time_zone: timeZone() },
    }),
};
