import { sql, type SqlBool } from 'kysely';
import type { ExecutionEnvironment, ExecutionMount } from '#shared/api/execution-environments.ts';
import type { Db } from '../../db/open.ts';
import { resourceStore, type ListOptions, type Owner } from '../../db/resource.ts';
import { contains } from '../../db/search.ts';
import { toPlain } from '../../db/plain-row.ts';
import type { Row } from '../../db/tables.ts';

interface ExecutionJson {
  packages: string[];
  mounts: ExecutionMount[];
  node_labels: string[];
  tolerations: string[];
  pod_labels: string[];
  pull_secrets: string[];
}

const columns = {
  packages: 'json',
  mounts: 'json',
  node_labels: 'json',
  tolerations: 'json',
  pod_labels: 'json',
  pull_secrets: 'json',
} as const;

export const executionStore = resourceStore<
  'execution_environments',
  ExecutionEnvironment,
  ExecutionJson
>('execution_environments', {
  columns,
  toEntity: ({ revision: _revision, ...row }) => row,
});

export type ExecutionFilter = Pick<ListOptions, 'order' | 'limit'> & {
  sort?: 'name' | 'kind' | undefined;
  q?: string | undefined;
};

const ownedBy = (projectId: Owner) =>
  projectId === null
    ? sql<SqlBool>`project_id is null`
    : sql<SqlBool>`(project_id = ${projectId} or project_id is null)`;

/** Those of a project and of the installation; null: only those of the installation. */
export async function listUsable(
  db: Db,
  projectId: Owner,
  { sort = 'name', order = 'asc', limit, q }: ExecutionFilter,
): Promise<ExecutionEnvironment[]> {
  let query = db
    .selectFrom('execution_environments')
    .selectAll()
    .where(ownedBy(projectId))
    .orderBy(sort, order)
    .orderBy('id', order);
  if (q) query = query.where(contains(['name', 'description', 'image'], q));
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map(({ revision: _revision, ...row }) =>
    toPlain<Omit<Row<'execution_environments'>, 'revision'>, ExecutionJson>(columns, row),
  );
}

/**
 * Whether the project may use it: it belongs to the project or to the installation. This stays true as long as the
 * row exists, because its project never changes.
 */
export const isUsable = async (db: Db, projectId: Owner, id: number): Promise<boolean> =>
  (await isOfInstallation(db, id)) || (await executionStore.exists(db, projectId, id));

export const isOfInstallation = (db: Db, id: number): Promise<boolean> =>
  executionStore.exists(db, null, id);
