// Rate-limits sign-in attempts without locking accounts. Failures are counted per account and source, which
// is an address or a known browser: after some failures in a row, one attempt per half minute is accepted.
// Higher limits apply to all addresses of one account, and to all accounts of one address. A known browser
// has its own counter, so attempts from elsewhere do not slow it down. Counters are stored in the database,
// for all servers and across restarts.

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

/** Attempts without delay; milliseconds between further ones; milliseconds until the counter resets. */
interface RateLimit {
  free: number;
  every: number;
  memory: number;
}

const fromOnePlace: RateLimit = { free: 10, every: 30_000, memory: 5 * 60_000 };
const fromAllAddresses: Record<Kind, RateLimit> = {
  password: { free: 100, every: 5000, memory: 60 * 60_000 },
  // There are only a million codes, and the attacker knows the password.
  code: { free: 20, every: 30_000, memory: 60 * 60_000 },
};

/** For all accounts. */
const fromOneAddress: RateLimit = { free: 30, every: 5000, memory: 5 * 60_000 };

type Kind = 'password' | 'code';

/** `session`: a signed-in user confirms a change. */
export type AttemptOrigin = { address: string } | { device: string } | 'session';

interface AttemptedUser {
  id: number;
  username: string;
}

export type Attempt = Awaited<ReturnType<typeof beginAttempt>>;

export interface Attempted {
  user: AttemptedUser | null;
  /** The typed name of an unknown account. */
  login?: string;
  place: AttemptOrigin;
  kind?: Kind;
}

// A prefix of the hash is unique enough and fits the column.
const shortened = (text: string): string => digest(text).slice(0, 24);

// The typed name may be a password, so only a hash is stored.
const accountOf = (user: AttemptedUser | null, login: string): string =>
  user ? `user ${user.id}` : `name ${shortened(login)}`;

function sourceName(place: AttemptOrigin): string {
  if (place === 'session') return 'session';
  if ('device' in place) return `device ${place.device}`;
  // An IPv6 subscriber has a whole /64 network. Only a hash is stored.
  const address = isIPv6(place.address) ? normalizeIP(place.address, 64) : place.address;
  return `from ${shortened(address)}`;
}

interface Counter {
  name: string;
  limit: RateLimit;
  /** Whether the counter belongs to one account. */
  isOfAccount: boolean;
}

function countersOf({ user, login = '', place, kind = 'password' }: Attempted): Counter[] {
  const account = accountOf(user, login);
  const source = sourceName(place);
  const ofAccount = (name: string, limit: RateLimit): Counter => ({
    name,
    limit,
    isOfAccount: true,
  });
  const own = ofAccount(`${account} ${kind} ${source}`, fromOnePlace);
  if (place === 'session' || 'device' in place) return [own];
  const ofAddress = { name: `any ${source}`, limit: fromOneAddress, isOfAccount: false };
  return [own, ofAccount(`${account} ${kind}`, fromAllAddresses[kind]), ofAddress];
}

/** Counts before the check, because of concurrent guesses. Refuses early attempts, also for unknown names. */
export async function beginAttempt(ctx: Context, attempted: Attempted) {
  const { user } = attempted;
  const counters = countersOf(attempted);
  const taken: (Counter & { count: number })[] = [];
  for (const counter of counters) {
    const count = await take(ctx, counter);
    if (count === null) {
      for (const { name } of taken) await returnAttempt(ctx.db, name);
      throw await tooEarlyError(ctx, counter, attempted.place);
    }
    taken.push({ ...counter, count });
  }
  const withdraw = async ({ db }: Context, from: number): Promise<void> => {
    for (const { name } of taken.slice(from)) await returnAttempt(db, name);
  };
  return {
    /** Call after a failure; records an event when the free attempts are used up. */
    async failed(inner: Context): Promise<void> {
      const isUsedUp = taken.some(
        ({ count, limit, isOfAccount }) => isOfAccount && count === limit.free,
      );
      if (user && isUsedUp) await recordUser(inner, 'session.locked', user);
    },
    /** Call after a success; resets the counter of its source. */
    async succeeded(inner: Context): Promise<void> {
      const [own] = taken;
      if (own) await removeCounter(inner.db, own.name);
      await withdraw(inner, 1);
    },
    /** Call when the attempt is incomplete, and the next request continues it. */
    withdrawn: (inner: Context): Promise<void> => withdraw(inner, 0),
  };
}

/** Returns the count including this attempt; null when it comes too early. */
async function take(ctx: Context, { name, limit }: Counter): Promise<number | null> {
  const now = ctx.clock.now().getTime();
  const time = (ms: number): string => new Date(now + ms).toISOString();
  const turn = await takeAttempt(ctx.db, {
    counter: name,
    now: time(0),
    forgotten: time(-limit.memory),
    free: limit.free,
    due: time(-limit.every),
    ahead: time(60_000),
  });
  return turn && turn.count;
}

async function tooEarlyError(
  ctx: Context,
  { name, limit, isOfAccount }: Counter,
  place: AttemptOrigin,
): Promise<Error> {
  const last = await findLastAttempt(ctx.db, name);
  const left = Date.parse(last ?? '') + limit.every - ctx.clock.now().getTime();
  const seconds = Math.max(1, Math.ceil((Number.isNaN(left) ? 0 : left) / 1000));
  const isUnknown = isOfAccount && place !== 'session' && 'address' in place;
  return fail(isUnknown ? 'session.slowed' : 'request.rate_limited', { seconds });
}

/** Returns false when there were none. */
export const unlock = (ctx: Context, user: AttemptedUser): Promise<boolean> =>
  removeAttempts(ctx.db, accountOf(user, ''));

export function tidyAttempts({ db, clock }: Context): Promise<void> {
  const limits = [fromOnePlace, fromOneAddress, ...Object.values(fromAllAddresses)];
  const maxMemory = Math.max(...limits.map(({ memory }) => memory));
  return removeAttemptsBefore(db, new Date(clock.now().getTime() - maxMemory).toISOString());
}
