import { environments } from '#shared/api/environments.ts';
import { query } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';

export const environmentResource = defineResource({
  noun: 'environment',
  endpoints: environments,
  refs: environments.refs,
});

export const environmentQueries = {
  list: (projectId: number) => query(environments.list, { params: { project_id: projectId } }),
};
