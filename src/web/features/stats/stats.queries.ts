import { stats } from '#shared/api/stats.ts';
import { query } from '../../lib/query.ts';
import { readerZone } from '../../lib/reader-zone.ts';

export const statsQueries = {
  ofProject: (projectId: number, days: number) =>
    query(stats.ofProject, {
      params: { project_id: projectId },
      query: { days, time_zone: readerZone() },
    }),
};
