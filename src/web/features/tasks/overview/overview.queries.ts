import { overview } from '#shared/api/overview.ts';
import { query, send } from '../../../lib/query.ts';

// The websocket sends changes of the open project only, so all projects are polled.
const everyMs = 5000;

export const overviewQueries = {
  tasks: () => ({ ...query(overview.tasks), refetchInterval: everyMs }),
  search: (q: string) => query(overview.search, { query: { q } }),
  pins: () => query(overview.pins),
  livePins: () => ({ ...query(overview.pins), refetchInterval: everyMs }),
};
export const pinTemplate = () => send(overview.pin, { refresh: [overview.pins] });
export const unpinTemplate = () => send(overview.unpin, { refresh: [overview.pins] });
