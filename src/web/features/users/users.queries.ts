import { session } from '#shared/api/session.ts';
import { tokens } from '#shared/api/tokens.ts';
import { type User, users } from '#shared/api/users.ts';
import { query, send } from '../../lib/query.ts';

const refresh = [users.list, users.one, users.current];

export const userQueries = {
  current: () => query(users.current),
  list: () => query(users.list),
};

/** Whether the reply has all fields, as administrators get them. */
export const isWhole = (user: Partial<User>): user is User => user.email !== undefined;

export const createUser = () => send(users.create, { refresh });
export const updateUser = () => send(users.update, { refresh });
export const removeFactor = () => send(users.removeSecondFactor, { refresh });
export const deleteUser = () => send(users.remove, { refresh });
/** A new password also ends the sessions and tokens of the user. */
export const changePassword = () => send(users.password, { refresh: [session.list, tokens.list] });
