import { useSuspenseQuery } from '@tanstack/react-query';
import { projectQueries } from './projects.queries.ts';

/**
 * Whether the project is a normal one, with templates and resources; true if no project is open.
 */
export function useHasTasks(projectId: number | undefined): boolean {
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  return !projects.find(({ id }) => id === projectId)?.type;
}
