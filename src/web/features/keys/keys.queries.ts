import { useQuery } from '@tanstack/react-query';
import { keys } from '#shared/api/keys.ts';
import { query } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';

export const keyResource = defineResource({ noun: 'key', endpoints: keys, refs: keys.refs });

export const keyQueries = {
  list: (projectId: number) => query(keys.list, { params: { project_id: projectId } }),
};

export function useKeyNames(projectId: number): (id: number | null) => string {
  const { data } = useQuery(keyQueries.list(projectId));
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => (id === null ? '—' : (names.get(id) ?? ''));
}
