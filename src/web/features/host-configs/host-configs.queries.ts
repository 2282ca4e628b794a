import { hostConfigs } from '#shared/api/host-configs.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [hostConfigs.list, hostConfigs.one];

export const hostConfigQueries = {
  list: (projectId: number) => query(hostConfigs.list, { params: { project_id: projectId } }),
};
export const createHostConfig = () => send(hostConfigs.create, { refresh });
export const updateHostConfig = () => send(hostConfigs.update, { refresh });
