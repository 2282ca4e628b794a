import { system } from '#shared/api/system.ts';
import { query } from '../../lib/query.ts';

const every = 5000;

export const systemQueries = {
  info: () => query(system.info),
  /** Asked again and again; that one part is down is an answer as well. */
  health: () => ({ ...query(system.health), refetchInterval: every, retry: false }),
};
