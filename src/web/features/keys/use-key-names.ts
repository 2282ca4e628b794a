import { useQuery } from '@tanstack/react-query';
import { keyQueries } from './keys.queries.ts';

/** The names of the keys of a project by their ids; a dash for none. */
export function useKeyNames(projectId: number): (id: number | null) => string {
  const { data } = useQuery(keyQueries.list(projectId));
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => (id === null ? '—' : (names.get(id) ?? ''));
}
