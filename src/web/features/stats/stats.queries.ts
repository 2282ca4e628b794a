import { shownDays, stats } from '#shared/api/stats.ts';
import { query } from '../../lib/query.ts';

function timeZone(): string {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  // With an invalid TZ, browsers return "Etc/Unknown" or "+05:00".
  return /^[A-Z]/.test(zone) && zone !== 'Etc/Unknown' ? zone : 'UTC';
}

export const statsQueries = {
  ofProject: (projectId: number) =>
    query(stats.ofProject, {
      params: { project_id: projectId },
      query: { days: shownDays, time_zone: timeZone() },
    }),
};
