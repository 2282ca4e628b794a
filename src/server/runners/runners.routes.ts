import { runnerDesk } from '#shared/api/runner-desk.ts';
import { runners } from '#shared/api/runners.ts';
import type { Http } from '../http/serve.ts';
import { changeRunner, removeRunner, seeRunners, type GiveUp } from './administration.ts';
import { createRemote, enterRemote, renewToken } from './remote-runners.ts';

export function runnerRoutes(http: Http, giveUpTasks: GiveUp): void {
  http.serve(runners.list, ({ ctx }) => seeRunners(ctx));
  http.serve(runners.create, ({ ctx, body }) => createRemote(ctx, body));
  http.serve(runnerDesk.register, ({ ctx, body }) => enterRemote(ctx, body));
  http.serve(runners.renewToken, ({ ctx, params }) => renewToken(ctx, params.runner_id));
  http.serve(runners.update, ({ ctx, params, body }) => changeRunner(ctx, params.runner_id, body));
  http.serve(runners.remove, ({ ctx, params }) => removeRunner(ctx, params.runner_id, giveUpTasks));
}
