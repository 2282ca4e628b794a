import { useQuery } from '@tanstack/react-query';
import { environmentQueries } from '../environments/environments.queries.ts';
import { executionEnvironmentQueries } from '../execution-environments/execution-environments.queries.ts';
import { inventoryQueries } from '../inventories/inventories.queries.ts';
import { repositoryQueries } from '../repositories/repositories.queries.ts';

export interface ResourceNames {
  inventory: (id: number | null) => string;
  environment: (id: number | null) => string;
  execution_environment: (id: number | null) => string;
  repository: (id: number | null) => string;
}

const finder =
  (list: { id: number; name: string }[] | undefined) =>
  (id: number | null): string =>
    list?.find((entry) => entry.id === id)?.name ?? '—';

/**
 * The names of the resources of templates by id; a dash until they are loaded. Only the kinds that
 * `isWanted` accepts are loaded.
 */
export function useResourceNames(
  projectId: number,
  isWanted: (resource: keyof ResourceNames) => boolean = () => true,
): ResourceNames {
  const inventories = useQuery({
    ...inventoryQueries.list(projectId),
    enabled: isWanted('inventory'),
  });
  const environments = useQuery({
    ...environmentQueries.list(projectId),
    enabled: isWanted('environment'),
  });
  const executions = useQuery({
    ...executionEnvironmentQueries.list(projectId),
    enabled: isWanted('execution_environment'),
  });
  const repositories = useQuery({
    ...repositoryQueries.list(projectId),
    enabled: isWanted('repository'),
  });
  return {
    inventory: finder(inventories.data),
    environment: finder(environments.data),
    execution_environment: finder(executions.data),
    repository: finder(repositories.data),
  };
}
