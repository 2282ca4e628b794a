import { useQuery } from '@tanstack/react-query';
import { environmentQueries } from '../environments/environments.queries.ts';
import { inventoryQueries } from '../inventories/inventories.queries.ts';
import { repositoryQueries } from '../repositories/repositories.queries.ts';

export interface ResourceNames {
  inventory: (id: number | null) => string;
  environment: (id: number | null) => string;
  repository: (id: number | null) => string;
}

const finder =
  (list: { id: number; name: string }[] | undefined) =>
  (id: number | null): string =>
    list?.find((entry) => entry.id === id)?.name ?? '—';

/** The names of the resources that templates refer to by id; a dash until they are known. */
export function useResourceNames(projectId: number): ResourceNames {
  return {
    inventory: finder(useQuery(inventoryQueries.list(projectId)).data),
    environment: finder(useQuery(environmentQueries.list(projectId)).data),
    repository: finder(useQuery(repositoryQueries.list(projectId)).data),
  };
}
