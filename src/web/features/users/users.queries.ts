import { session } from '#shared/api/session.ts';
import { tokens } from '#shared/api/tokens.ts';
import { type User, users } from '#shared/api/users.ts';
import { query, send } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';
import { queryOptions } from '@tanstack/react-query';

export interface UserScope {
  selfId: number;
}

export const userResource = defineResource({
  noun: 'user',
  endpoints: users,
  alsoRefresh: [users.current],
  params: (_scope: UserScope) => ({}),
});

export const userQueries = {
  current: () => query(users.current),
  /** The users with all fields, which only administrators receive. */
  list: () => queryOptions({ ...query(users.list), select: (all) => all.filter(isWhole) }),
};

const isWhole = (user: Partial<User>): user is User => user.email !== undefined;

export const removeFactor = () =>
  send(users.removeSecondFactor, { refresh: [users.list, users.one, users.current] });
/** A new password also ends the sessions and tokens of the user. */
export const changePassword = () => send(users.password, { refresh: [session.list, tokens.list] });
