// Slows down guesses without locking accounts. Wrong passwords and codes are counted for the account
// and their source: an address, or a browser in which the account has signed in before. After some in
// a row, one more is accepted every half a minute from that source. All addresses together have a
// further, higher limit, against guesses from many addresses, and so has each address for all accounts
// together. Attempts from elsewhere do not slow down a known browser, which has a count of its own. The
// counts are in the database, so all servers share them and a restart keeps them.

import { isIPv6 } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { Context } from '../../context/context.ts';
import { digest } from '../../lib/digest.ts';
import { fail } from '../../lib/errors.ts';
import { recordUser } from '../users/users.ts';
import {
  findLastAttempt,
  returnAttempt,
  removeAttempts,
  removeAttemptsBefore,
  removeCounter,
  takeAttempt,
} from './attempts.store.ts';

/** The number of free attempts, the milliseconds between further ones, and after how long without any the count is reset. */
interface RateLimit {
  free: number;
  every: number;
  memory: number;
}

const fromOnePlace: RateLimit = { free: 10, every: 30_000, memory: 5 * 60_000 };
const fromAllAddresses: Record<Kind, RateLimit> = {
  password: { free: 100, every: 5000, memory: 60 * 60_000 },
  // There are only a million codes, and whoever tries them knows the password.
  code: { free: 20, every: 30_000, memory: 60 * 60_000 },
};

/** From one address, whichever accounts are tried. */
const fromOneAddress: RateLimit = { free: 30, every: 5000, memory: 5 * 60_000 };

type Kind = 'password' | 'code';

/** The source of an attempt. `session`: a signed-in user confirms something. */
export type AttemptOrigin = { address: string } | { device: string } | 'session';

interface AttemptedUser {
  id: number;
  username: string;
}

export interface Attempt {
  /** Call after a wrong attempt; the attempt that uses up the free ones is recorded as an event. */
  failed: (ctx: Context) => Promise<void>;
  /** Call after a correct attempt; resets the count of its source. */
  succeeded: (ctx: Context) => Promise<void>;
  /** Call when the attempt was neither, because it lacks something that the next one brings. */
  withdrawn: (ctx: Context) => Promise<void>;
}

export interface Attempted {
  user: AttemptedUser | null;
  /** The typed name, when there is no such account. */
  login?: string;
  place: AttemptOrigin;
  kind?: Kind;
}

// A part of the hash, long enough to tell entries apart; the column has no room for all of it.
const shortened = (text: string): string => digest(text).slice(0, 24);

// A typed name may be a password, so only its hash is stored.
const accountOf = (user: AttemptedUser | null, login: string): string =>
  user ? `user ${user.id}` : `name ${shortened(login)}`;

function placeName(place: AttemptOrigin): string {
  if (place === 'session') return 'session';
  if ('device' in place) return `device ${place.device}`;
  // A subscriber has a whole network of IPv6, so its addresses count as one. Only a hash is stored.
  const address = isIPv6(place.address) ? normalizeIP(place.address, 64) : place.address;
  return `from ${shortened(address)}`;
}

interface Counter {
  name: string;
  pace: RateLimit;
  /** Whether it counts what is tried of one account. */
  isOfAccount: boolean;
}

function countersOf({ user, login = '', place, kind = 'password' }: Attempted): Counter[] {
  const account = accountOf(user, login);
  const source = placeName(place);
  const ofAccount = (name: string, pace: RateLimit): Counter => ({ name, pace, isOfAccount: true });
  const own = ofAccount(`${account} ${kind} ${source}`, fromOnePlace);
  if (place === 'session' || 'device' in place) return [own];
  const ofAddress = { name: `any ${source}`, pace: fromOneAddress, isOfAccount: false };
  return [own, ofAccount(`${account} ${kind}`, fromAllAddresses[kind]), ofAddress];
}

/**
 * Counts an attempt as wrong before it is checked, because simultaneous guesses would otherwise all be
 * accepted. Refuses an attempt that comes too early, also for names that do not exist.
 */
export async function beginAttempt(ctx: Context, attempted: Attempted): Promise<Attempt> {
  const { user } = attempted;
  const counters = countersOf(attempted);
  const taken: (Counter & { count: number })[] = [];
  for (const counter of counters) {
    const count = await take(ctx, counter);
    if (count === null) {
      for (const { name } of taken) await returnAttempt(ctx.db, name);
      throw await tooEarly(ctx, counter, attempted.place);
    }
    taken.push({ ...counter, count });
  }
  const withdraw = async ({ db }: Context, from: number): Promise<void> => {
    for (const { name } of taken.slice(from)) await returnAttempt(db, name);
  };
  return {
    async failed(inner) {
      const isUsedUp = taken.some(
        ({ count, pace, isOfAccount }) => isOfAccount && count === pace.free,
      );
      if (user && isUsedUp) await recordUser(inner, 'session.locked', user);
    },
    async succeeded(inner) {
      const [own] = taken;
      if (own) await removeCounter(inner.db, own.name);
      await withdraw(inner, 1);
    },
    withdrawn: (inner) => withdraw(inner, 0),
  };
}

/** The number of attempts including this one; null when it comes too early. */
async function take(ctx: Context, { name, pace }: Counter): Promise<number | null> {
  const now = ctx.clock.now().getTime();
  const time = (ms: number): string => new Date(now + ms).toISOString();
  const turn = await takeAttempt(ctx.db, {
    counter: name,
    now: time(0),
    forgotten: time(-pace.memory),
    free: pace.free,
    due: time(-pace.every),
    ahead: time(60_000),
  });
  return turn && turn.count;
}

async function tooEarly(
  ctx: Context,
  { name, pace, isOfAccount }: Counter,
  place: AttemptOrigin,
): Promise<Error> {
  const last = await findLastAttempt(ctx.db, name);
  const left = Date.parse(last ?? '') + pace.every - ctx.clock.now().getTime();
  const seconds = Math.max(1, Math.ceil((Number.isNaN(left) ? 0 : left) / 1000));
  const isUnknown = isOfAccount && place !== 'session' && 'address' in place;
  return fail(isUnknown ? 'session.slowed' : 'request.rate_limited', { seconds });
}

/** Resets the counts of a user from all sources; false when there were none. */
export const unlock = (ctx: Context, user: AttemptedUser): Promise<boolean> =>
  removeAttempts(ctx.db, accountOf(user, ''));

/** Deletes counts that have expired. */
export function tidyAttempts({ db, clock }: Context): Promise<void> {
  const paces = [fromOnePlace, fromOneAddress, ...Object.values(fromAllAddresses)];
  const longest = Math.max(...paces.map(({ memory }) => memory));
  return removeAttemptsBefore(db, new Date(clock.now().getTime() - longest).toISOString());
}
