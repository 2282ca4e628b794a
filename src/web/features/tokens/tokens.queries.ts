import { tokens } from '#shared/api/tokens.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [tokens.list];

export const tokenQueries = { list: () => query(tokens.list) };
export const createToken = () => send(tokens.create, { refresh });
export const deleteToken = () => send(tokens.remove, { refresh });
