import { environments } from '#shared/api/environments.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [environments.list, environments.one];

export const environmentQueries = {
  list: (projectId: number) => query(environments.list, { params: { project_id: projectId } }),
};
export const createEnvironment = () => send(environments.create, { refresh });
export const updateEnvironment = () => send(environments.update, { refresh });
