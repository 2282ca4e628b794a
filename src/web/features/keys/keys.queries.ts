import { useQuery } from '@tanstack/react-query';
import { keys } from '#shared/api/keys.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [keys.list, keys.one];

export const keyQueries = {
  list: (projectId: number) => query(keys.list, { params: { project_id: projectId } }),
  one: (projectId: number, keyId: number) =>
    query(keys.one, { params: { project_id: projectId, key_id: keyId } }),
};
export const createKey = () => send(keys.create, { refresh });
export const updateKey = () => send(keys.update, { refresh });

/** The names of the keys of a project by their ids; a dash for none. */
export function useKeyNames(projectId: number): (id: number | null) => string {
  const { data } = useQuery(keyQueries.list(projectId));
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => (id === null ? '—' : (names.get(id) ?? ''));
}
