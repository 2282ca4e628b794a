import { type Host, type HostOutcome, hosts } from '#shared/api/hosts.ts';
import { queryPage, query } from '../../lib/query.ts';

const pageSize = 50;

export interface HostFilter {
  q?: string | undefined;
  outcome?: HostOutcome | undefined;
}

/** How the list is sorted: a column, with a dash before it for the other direction. */
export const hostSorts = ['name', '-name', 'last_run', '-last_run'] as const;
export type HostSort = (typeof hostSorts)[number];

export const hostQueries = {
  page: (
    projectId: number,
    {
      sort = 'name',
      before,
      limit = pageSize,
      ...filter
    }: HostFilter & { sort?: HostSort; before?: number; limit?: number },
  ) =>
    queryPage(hosts.list, {
      params: { project_id: projectId },
      query: {
        ...filter,
        sort: sort.endsWith('last_run') ? 'last_run' : 'name',
        order: sort.startsWith('-') ? 'desc' : 'asc',
        before,
        limit,
      },
    }),
  map: (projectId: number, filter: HostFilter) =>
    query(hosts.map, { params: { project_id: projectId }, query: filter }),
  one: (projectId: number, host: string) =>
    query(hosts.one, { params: { project_id: projectId, host } }),
  facts: (projectId: number, host: string) =>
    query(hosts.facts, { params: { project_id: projectId, host } }),
  tasks: (projectId: number, host: string, before?: number) =>
    queryPage(hosts.tasks, {
      params: { project_id: projectId, host },
      query: { before, limit: pageSize },
    }),
};

export const groupsOf = ({ inventories }: Host): string[] =>
  [...new Set(inventories.flatMap(({ groups }) => groups))].toSorted();
