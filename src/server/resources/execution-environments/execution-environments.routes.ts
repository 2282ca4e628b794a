import {
  executionEnvironments,
  installationEnvironments,
  type ExecutionEnvironment,
  type ExecutionKind,
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

/** The kinds that runners for the project, or for all projects, execute. */
export type ListKinds = (ctx: Context, owner: Owner) => Promise<ExecutionKind[]>;

type Unavailable = (typeof unavailableReasons)[number] | null;

/** Why no runner executes a kind; those that are missing need nothing of a runner. */
const reasonOf: Partial<Record<ExecutionKind, Unavailable>> = {
  container: 'no_container_engine',
  pod: 'no_kubernetes_runner',
};

export function executionEnvironmentRoutes(http: Http, listKinds: ListKinds): void {
  const withReasons = async <One extends ExecutionEnvironment>(
    ctx: Context,
    owner: Owner,
    list: One[],
  ): Promise<(One & { unavailable: Unavailable })[]> => {
    const isAsked = list.some(({ kind }) => reasonOf[kind]);
    const kinds = isAsked ? await listKinds(ctx, owner) : [];
    const unavailable = (kind: ExecutionKind): Unavailable =>
      kinds.includes(kind) ? null : (reasonOf[kind] ?? null);
    return list.map((one) => ({ ...one, unavailable: unavailable(one.kind) }));
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
