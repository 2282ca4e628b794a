import { hostKeys } from '#shared/api/host-keys.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [hostKeys.list];

export const hostKeyQueries = {
  list: (projectId: number) => query(hostKeys.list, { params: { project_id: projectId } }),
};
export const forgetHostKey = () => send(hostKeys.remove, { refresh });
export const forgetHostKeys = () => send(hostKeys.removeAll, { refresh });
