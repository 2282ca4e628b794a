import {
  executionEnvironments,
  installationEnvironments,
  type ExecutionEnvironment,
  type unavailableReasons,
} from '#shared/api/execution-environments.ts';
import type { Context } from '../../context/context.ts';
import type { Http } from '../../http/serve.ts';
import {
  changeExecutionEnvironment,
  createExecutionEnvironment,
  executionEnvironmentRefs,
  listExecutionEnvironments,
  removeExecutionEnvironment,
  requireExecutionEnvironment,
} from './execution-environments.ts';

/** A project; null: the installation. */
type Owner = number | null;

/** Whether a runner for the project, or for all projects, has podman or docker. */
export type HasContainerEngine = (ctx: Context, owner: Owner) => Promise<boolean>;

type Unavailable = (typeof unavailableReasons)[number] | null;

export function executionEnvironmentRoutes(http: Http, hasEngine: HasContainerEngine): void {
  const withReasons = async <One extends ExecutionEnvironment>(
    ctx: Context,
    owner: Owner,
    list: One[],
  ): Promise<(One & { unavailable: Unavailable })[]> => {
    const isAsked = list.some(({ kind }) => kind === 'container');
    const reason = isAsked && !(await hasEngine(ctx, owner)) ? 'no_container_engine' : null;
    return list.map((one) => ({ ...one, unavailable: one.kind === 'container' ? reason : null }));
  };
  const withReason = async <One extends ExecutionEnvironment>(
    ctx: Context,
    owner: Owner,
    one: One,
  ): Promise<One & { unavailable: Unavailable }> => {
    const [shown] = await withReasons(ctx, owner, [one]);
    return shown ?? { ...one, unavailable: null };
  };
  for (const group of [executionEnvironments, installationEnvironments]) {
    http.serve(group.list, async ({ ctx, params, query }) => {
      const owner = ownerIn(params);
      return withReasons(ctx, owner, await listExecutionEnvironments(ctx, owner, query));
    });
    http.serve(group.create, async ({ ctx, params, body }) => {
      const owner = ownerIn(params);
      return withReason(ctx, owner, await createExecutionEnvironment(ctx, owner, body));
    });
    http.serve(group.one, async ({ ctx, params, id }) => {
      const owner = ownerIn(params);
      return withReason(ctx, owner, await requireExecutionEnvironment(ctx, owner, id));
    });
    http.serve(group.update, ({ ctx, params, id, body, ifMatch: revision }) =>
      changeExecutionEnvironment(ctx, { projectId: ownerIn(params), id, revision }, body),
    );
    http.serve(group.remove, ({ ctx, params, id }) =>
      removeExecutionEnvironment(ctx, ownerIn(params), id),
    );
    http.serve(group.refs, ({ ctx, params, id }) =>
      executionEnvironmentRefs(ctx, ownerIn(params), id),
    );
  }
}

/** A path without a project is about the installation. */
const ownerIn = (params: object): Owner => (params as { project_id?: number }).project_id ?? null;
