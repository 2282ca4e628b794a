import { environments } from '#shared/api/environments.ts';
import { query } from '../../lib/query.ts';

export const environmentQueries = {
  list: (projectId: number) => query(environments.list, { params: { project_id: projectId } }),
};
