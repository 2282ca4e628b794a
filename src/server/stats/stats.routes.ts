import { stats } from '#shared/api/stats.ts';
import type { Http } from '../http/serve.ts';
import { getDeployments } from './deployments.ts';
import { getLastRuns } from './last-runs.ts';
import { getLaunches, getStats } from './stats.ts';

export function statsRoutes(http: Http): void {
  http.serve(stats.ofProject, ({ ctx, params, query }) => getStats(ctx, params.project_id, query));
  http.serve(stats.lastRuns, ({ ctx, params, query }) =>
    getLastRuns(ctx, params.project_id, query),
  );
  http.serve(stats.deployments, ({ ctx, params, query }) =>
    getDeployments(ctx, params.project_id, query),
  );
  http.serve(stats.ofTemplate, ({ ctx, params, query }) => getLaunches(ctx, params, query));
}
