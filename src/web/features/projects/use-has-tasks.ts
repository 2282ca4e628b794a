import { useSuspenseQuery } from '@tanstack/react-query';
import { projectQueries } from './projects.queries.ts';

/** Whether the project is a normal one, with templates and what they need; true while there is none. */
export function useHasTasks(projectId: number | undefined): boolean {
  const { data: projects } = useSuspenseQuery(projectQueries.list());
  return !projects.find(({ id }) => id === projectId)?.type;
}
