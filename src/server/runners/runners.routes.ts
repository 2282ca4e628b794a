import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { noReferences } from '#shared/api/references.ts';
import { projectRunners, runners } from '#shared/api/runners.ts';
import type { Http } from '../http/serve.ts';
import {
  changeRunner,
  createRunner,
  removeRunner,
  getRunner,
  getRunners,
  getTags,
  type RevokeTasks,
  requestCleaning,
} from './administration.ts';
import { enterRemote, renewToken } from './remote-runners.ts';
import type { RunnerRef } from './runners.ts';

interface Params {
  runner_id: number;
  project_id?: number;
}

/** A path with a project matches only its runners. */
const whichOf = ({ runner_id: id, project_id: projectId }: Params): RunnerRef =>
  projectId === undefined ? { id } : { id, projectId };

const ofProject = (params: object): number | undefined => (params as Partial<Params>).project_id;

export function runnerRoutes(http: Http, revokeTasks: RevokeTasks): void {
  http.serve(runnerApiEndpoints.register, ({ ctx, body }) => enterRemote(ctx, body));
  for (const group of [runners, projectRunners]) {
    http.serve(group.list, ({ ctx, params }) => getRunners(ctx, ofProject(params)));
    http.serve(group.tags, ({ ctx, params }) => getTags(ctx, ofProject(params)));
    http.serve(group.create, ({ ctx, params, body }) =>
      createRunner(ctx, ofProject(params) ?? null, body),
    );
    http.serve(group.one, ({ ctx, params }) => getRunner(ctx, whichOf(params)));
    http.serve(group.refs, async ({ ctx, params }) => {
      await getRunner(ctx, whichOf(params));
      return noReferences;
    });
    http.serve(group.renewToken, ({ ctx, params }) => renewToken(ctx, whichOf(params)));
    http.serve(group.registrationToken, async ({ ctx, params }) => {
      const { id, token, expires } = await renewToken(ctx, whichOf(params));
      const project_id = ofProject(params) ?? (await getRunner(ctx, { id })).project_id;
      return { registration_token: token, runner_id: id, project_id, expires };
    });
    http.serve(group.update, ({ ctx, params, body }) => changeRunner(ctx, whichOf(params), body));
    http.serve(group.switch, ({ ctx, params, body }) =>
      changeRunner(ctx, whichOf(params), { draining: !body.active }),
    );
    http.serve(group.clearCache, ({ ctx, params }) => requestCleaning(ctx, whichOf(params)));
    http.serve(group.remove, ({ ctx, params }) => removeRunner(ctx, whichOf(params), revokeTasks));
  }
}
