import { system } from '#shared/api/system.ts';
import { query } from '../../lib/query.ts';

export const systemQueries = { info: () => query(system.info) };
