import type { DeliveryStatus } from '#shared/alerts.ts';
import { alertDeliveries } from '#shared/api/alert-deliveries.ts';
import { queryPage, send } from '../../lib/query.ts';

interface AlertFilter {
  status?: DeliveryStatus | undefined;
  before?: number | undefined;
}

const pageSize = 50;

export const alertDeliveryQueries = {
  page: (projectId: number, filter: AlertFilter) =>
    queryPage(alertDeliveries.list, {
      params: { project_id: projectId },
      query: { limit: pageSize, ...filter },
    }),
};
export const retryAlert = () => send(alertDeliveries.retry, { refresh: [alertDeliveries.list] });
