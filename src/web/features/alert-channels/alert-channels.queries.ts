import { alertChannels } from '#shared/api/alert-channels.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [alertChannels.list, alertChannels.one];

export const alertChannelQueries = {
  list: (projectId: number) => query(alertChannels.list, { params: { project_id: projectId } }),
};
export const createAlertChannel = () => send(alertChannels.create, { refresh });
export const updateAlertChannel = () => send(alertChannels.update, { refresh });
export const testAlertChannel = () => send(alertChannels.test);
