import { users } from '#shared/api/users.ts';
import { query } from '../../lib/query.ts';

export const userQueries = { current: () => query(users.current) };
