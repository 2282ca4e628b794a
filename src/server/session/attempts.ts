// Slows down guessing: after some wrong passwords or codes in a row an account is locked for a
// while, from whatever address the guesses come and whichever server they reach. The count is kept
// in the database, so a restart does not begin it anew. Addresses are limited by the endpoint.

import type { Context } from '../context.ts';
import { digest } from '../digest.ts';
import { fail } from '../errors.ts';
import { recordUser } from '../users/users.ts';
import {
  countAttempt,
  removeAttempts,
  removeAttemptsBefore,
  uncountAttempt,
} from './attempts.store.ts';

const allowed = 10;
const lockMs = 5 * 60_000;

interface Known {
  id: number;
  username: string;
}

export interface Attempt {
  /** It was wrong: the one that uses up what is allowed is recorded as the lock that it brings. */
  failed: (ctx: Context) => Promise<void>;
  /** It was right: what was wrong before is forgotten. */
  succeeded: (ctx: Context) => Promise<void>;
  /** It was neither, because something is missing that comes with the next one. */
  withdrawn: (ctx: Context) => Promise<void>;
}

// What is typed as a name may be a password, so it is not kept as it is.
const accountOf = (user: Known | null, login: string): string =>
  user ? `user ${user.id}` : `name ${digest(login)}`;

const forgotten = ({ clock }: Context): string =>
  new Date(clock.now().getTime() - lockMs).toISOString();

/**
 * Counts an attempt as wrong until it has succeeded: guesses sent at once would all come through
 * otherwise. Refuses while the account is locked, just as where nobody has such a name.
 */
export async function beginAttempt(ctx: Context, user: Known | null, login = ''): Promise<Attempt> {
  const account = accountOf(user, login);
  const now = ctx.clock.now();
  const times = { now: now.toISOString(), forgotten: forgotten(ctx) };
  const { count, since } = await countAttempt(ctx.db, { account, ...times, allowed });
  if (count > allowed) {
    const left = Date.parse(since) + lockMs - now.getTime();
    throw fail('request.rate_limited', { seconds: Math.max(1, Math.ceil(left / 1000)) });
  }
  return {
    async failed(inner) {
      if (user && count === allowed) await recordUser(inner, 'session.locked', user);
    },
    async succeeded(inner) {
      await removeAttempts(inner.db, account);
    },
    withdrawn: (inner) => uncountAttempt(inner.db, account),
  };
}

/** Forgets the wrong attempts of a user; false: there were none. */
export const unlock = (ctx: Context, user: Known): Promise<boolean> =>
  removeAttempts(ctx.db, accountOf(user, ''));

/** Deletes what no longer counts. */
export const tidyAttempts = (ctx: Context): Promise<void> =>
  removeAttemptsBefore(ctx.db, forgotten(ctx));
