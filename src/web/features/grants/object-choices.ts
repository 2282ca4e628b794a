// The objects of a project that the user sees, by their kind.

import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import { environmentQueries } from '../environments/environments.queries.ts';
import { executionEnvironmentQueries } from '../execution-environments/execution-environments.queries.ts';
import { inventoryQueries } from '../inventories/inventories.queries.ts';
import { keyQueries } from '../keys/keys.queries.ts';
import { repositoryQueries } from '../repositories/repositories.queries.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { viewQueries } from '../views/views.queries.ts';
import { workflowQueries } from '../workflows/workflows.queries.ts';

interface Listed {
  id: number;
  name?: string;
  /** The name of a view. */
  title?: string;
  /** Null for an execution environment of the installation. */
  project_id?: number | null;
}

type ListQuery = UseQueryOptions<Listed[]>;

const lists: Record<GrantedType, (projectId: number) => unknown> = {
  template: templateQueries.list,
  workflow: workflowQueries.list,
  view: viewQueries.list,
  inventory: inventoryQueries.list,
  key: keyQueries.list,
  environment: environmentQueries.list,
  repository: repositoryQueries.list,
  execution_environment: executionEnvironmentQueries.list,
};

/** Undefined while they are loaded. */
export function useObjectChoices(projectId: number, type: GrantedType) {
  const { data } = useQuery(lists[type](projectId) as ListQuery);
  return data
    ?.filter(({ project_id: owner }) => owner !== null)
    .map(({ id, name, title }) => ({ id, name: name ?? title ?? '' }));
}
