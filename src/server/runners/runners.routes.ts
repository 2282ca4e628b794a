import { hostname } from 'node:os';
import { runners, type Runner } from '#shared/api/runners.ts';
import { isAlone, type Context } from '../context.ts';
import type { Http } from '../http/serve.ts';
import { isUsable } from './runners.ts';
import { listSeen, type SeenRunner } from './runners.store.ts';

export interface RunnerParts {
  version: string;
  running: () => number;
}

export function runnerRoutes(http: Http, { version, running }: RunnerParts): void {
  http.serve(runners.list, async ({ ctx }) =>
    isAlone(ctx)
      ? [onlyOne(ctx, version, running())]
      : (await listSeen(ctx.db)).filter(({ role }) => role !== 'web').map(toRunner),
  );
}

function onlyOne({ config, clock }: Context, version: string, running: number): Runner {
  return {
    id: 1,
    project_id: null,
    name: hostname(),
    active: true,
    max_parallel_tasks: config.maxParallelTasks,
    webhook: '',
    version,
    running,
    last_seen: clock.now().toISOString(),
  };
}

const toRunner = (runner: SeenRunner): Runner => ({
  id: runner.id,
  project_id: null,
  name: runner.name,
  active: isUsable(runner),
  max_parallel_tasks: runner.max_parallel_tasks,
  webhook: '',
  version: runner.version,
  running: runner.running,
  last_seen: runner.last_seen,
});
