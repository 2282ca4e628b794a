import { stats } from '#shared/api/stats.ts';
import type { Http } from '../http/serve.ts';
import { seeLaunches } from './launches.ts';
import { seeStats } from './stats.ts';

export function statsRoutes(http: Http): void {
  http.serve(stats.ofProject, ({ ctx, params, query }) => seeStats(ctx, params.project_id, query));
  http.serve(stats.ofTemplate, ({ ctx, params, query }) => seeLaunches(ctx, params, query));
}
