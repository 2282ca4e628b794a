import { hostname } from 'node:os';
import { runners } from '#shared/api/runners.ts';
import type { Http } from '../http/serve.ts';

export interface RunnerParts {
  version: string;
  running: () => number;
}

export function runnerRoutes(http: Http, { version, running }: RunnerParts): void {
  http.serve(runners.list, ({ ctx }) => [
    {
      id: 1,
      project_id: null,
      name: hostname(),
      active: true,
      max_parallel_tasks: ctx.config.maxParallelTasks,
      webhook: '',
      version,
      running: running(),
      last_seen: ctx.clock.now().toISOString(),
    },
  ]);
}
