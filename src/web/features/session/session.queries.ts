import { session } from '#shared/api/session.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [session.list];

export const sessionQueries = {
  ways: () => query(session.ways),
  list: () => query(session.list),
};
export const signOut = () => send(session.signOut);
export const endSession = () => send(session.revoke, { refresh });
export const endOtherSessions = () => send(session.revokeOthers, { refresh });
