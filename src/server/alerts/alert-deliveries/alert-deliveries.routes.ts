import { alertDeliveries } from '#shared/api/alert-deliveries.ts';
import { type Http, shown } from '../../http/serve.ts';
import { retryDelivery, getDeliveries } from './alert-deliveries.ts';

export function alertDeliveryRoutes(http: Http): void {
  http.serve(alertDeliveries.list, async (input) => {
    const { ctx, params, query } = input;
    return shown(input, await getDeliveries(ctx, params.project_id, query));
  });
  http.serve(alertDeliveries.ofChannel, async (input) => {
    const { ctx, params, query } = input;
    const filter = { ...query, channelId: params.alert_channel_id };
    return shown(input, await getDeliveries(ctx, params.project_id, filter));
  });
  http.serve(alertDeliveries.retry, ({ ctx, params }) =>
    retryDelivery(ctx, params.project_id, params.alert_delivery_id),
  );
}
