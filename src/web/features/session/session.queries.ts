import { session } from '#shared/api/session.ts';
import { query, send } from '../../lib/query.ts';

export const sessionQueries = { ways: () => query(session.ways) };
export const signIn = () => send(session.signIn);
export const signOut = () => send(session.signOut);
