import { system } from '#shared/api/system.ts';
import { query } from '../../lib/query.ts';

const every = 5000;

export const systemQueries = {
  figures: () => ({ ...query(system.figures), refetchInterval: every }),
  info: () => query(system.info),
  /**
   * The health of the server, polled; an error that names a part that is down counts as a reply.
   */
  health: () => ({ ...query(system.health), refetchInterval: every, retry: false }),
};
