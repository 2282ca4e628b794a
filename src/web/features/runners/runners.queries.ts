import { runners } from '#shared/api/runners.ts';
import { query } from '../../lib/query.ts';

const every = 5000;

export const runnerQueries = {
  list: () => ({ ...query(runners.list), refetchInterval: every }),
};
