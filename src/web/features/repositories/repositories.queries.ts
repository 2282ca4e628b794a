import { repositories } from '#shared/api/repositories.ts';
import { query } from '../../lib/query.ts';

export const repositoryQueries = {
  list: (projectId: number) => query(repositories.list, { params: { project_id: projectId } }),
};
