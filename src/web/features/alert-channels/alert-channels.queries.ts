import { alertChannels } from '#shared/api/alert-channels.ts';
import { query, send } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';

export const alertChannelResource = defineResource({
  noun: 'alert_channel',
  endpoints: alertChannels,
});

export const alertChannelQueries = {
  list: (projectId: number) => query(alertChannels.list, { params: { project_id: projectId } }),
};
export const testAlertChannel = () => send(alertChannels.test);
