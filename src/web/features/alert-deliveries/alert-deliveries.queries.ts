import type { DeliveryStatus } from '#shared/alerts.ts';
import { alertDeliveries } from '#shared/api/alert-deliveries.ts';
import { asked } from '../../lib/page-of.ts';
import { query, send } from '../../lib/query.ts';

export interface AlertFilter {
  status?: DeliveryStatus | undefined;
  before?: number | undefined;
}

export const pageSize = 50;

export const alertDeliveryQueries = {
  page: (projectId: number, filter: AlertFilter) =>
    query(alertDeliveries.list, {
      params: { project_id: projectId },
      query: { limit: asked(pageSize), ...filter },
    }),
};
export const retryAlert = () => send(alertDeliveries.retry, { refresh: [alertDeliveries.list] });
