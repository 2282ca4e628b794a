// Slows down guessing, and locks nobody out. Wrong passwords and codes are counted for the account
// and the place that they come from: an address, or a browser in which this account has signed in
// before. After some in a row one more is taken every half a minute, from that place. Attempts from
// addresses are counted together too, more generously, for guesses that come from many addresses;
// a browser that is known is not concerned by what others do. All of it is in the database, so
// that servers count together and a restart does not begin anew.

import { isIPv6 } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { Context } from '../context.ts';
import { digest } from '../digest.ts';
import { fail } from '../errors.ts';
import { recordUser } from '../users/users.ts';
import {
  findLastTurn,
  giveTurnBack,
  removeAttempts,
  removeAttemptsBefore,
  removeCounter,
  takeTurn,
} from './attempts.store.ts';

/** How many are free; then one each so many milliseconds; until none came for so long. */
interface Pace {
  free: number;
  every: number;
  memory: number;
}

const fromOnePlace: Pace = { free: 10, every: 30_000, memory: 5 * 60_000 };
const fromAllAddresses: Record<Kind, Pace> = {
  password: { free: 100, every: 5000, memory: 60 * 60_000 },
  // There are a million codes only, and whoever tries some knows the password.
  code: { free: 20, every: 30_000, memory: 60 * 60_000 },
};

type Kind = 'password' | 'code';

/** Where an attempt comes from. `session`: the user is signed in, and confirms something. */
export type Place = { address: string } | { device: string } | 'session';

interface Known {
  id: number;
  username: string;
}

export interface Attempt {
  /** It was wrong: the one that uses up what is free is recorded. */
  failed: (ctx: Context) => Promise<void>;
  /** It was right: what was wrong before, from the same place, is forgotten. */
  succeeded: (ctx: Context) => Promise<void>;
  /** It was neither, because something is missing that comes with the next one. */
  withdrawn: (ctx: Context) => Promise<void>;
}

export interface Attempted {
  user: Known | null;
  /** What was typed, where nobody has such a name. */
  login?: string;
  place: Place;
  kind?: Kind;
}

// Enough of a hash to tell one from another, where its whole length has no room.
const shortened = (text: string): string => digest(text).slice(0, 24);

// What is typed as a name may be a password, so it is not kept as it is.
const accountOf = (user: Known | null, login: string): string =>
  user ? `user ${user.id}` : `name ${shortened(login)}`;

function placeName(place: Place): string {
  if (place === 'session') return 'session';
  if ('device' in place) return `device ${place.device}`;
  // One subscriber has all addresses of a network of IPv6. No address is kept.
  const address = isIPv6(place.address) ? normalizeIP(place.address, 64) : place.address;
  return `from ${shortened(address)}`;
}

interface Counter {
  name: string;
  pace: Pace;
}

function countersOf({ user, login = '', place, kind = 'password' }: Attempted): Counter[] {
  const account = accountOf(user, login);
  const own = { name: `${account} ${kind} ${placeName(place)}`, pace: fromOnePlace };
  const isAddress = place !== 'session' && 'address' in place;
  return isAddress ? [own, { name: `${account} ${kind}`, pace: fromAllAddresses[kind] }] : [own];
}

/**
 * Counts an attempt as wrong until it has succeeded: guesses sent at once would all come through
 * otherwise. Refuses one that comes too early, just as where nobody has such a name.
 */
export async function beginAttempt(ctx: Context, attempted: Attempted): Promise<Attempt> {
  const { user } = attempted;
  const counters = countersOf(attempted);
  const taken: (Counter & { count: number })[] = [];
  for (const counter of counters) {
    const count = await take(ctx, counter);
    if (count === null) {
      for (const { name } of taken) await giveTurnBack(ctx.db, name);
      throw await tooEarly(ctx, counter, attempted.place);
    }
    taken.push({ ...counter, count });
  }
  const withdraw = async ({ db }: Context, from: number): Promise<void> => {
    for (const { name } of taken.slice(from)) await giveTurnBack(db, name);
  };
  return {
    async failed(inner) {
      const isUsedUp = taken.some(({ count, pace }) => count === pace.free);
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

/** How many there were with this one; null: it comes too early. */
async function take(ctx: Context, { name, pace }: Counter): Promise<number | null> {
  const now = ctx.clock.now().getTime();
  const time = (ms: number): string => new Date(now + ms).toISOString();
  const turn = await takeTurn(ctx.db, {
    counter: name,
    now: time(0),
    forgotten: time(-pace.memory),
    free: pace.free,
    due: time(-pace.every),
    ahead: time(60_000),
  });
  return turn && turn.count;
}

async function tooEarly(ctx: Context, { name, pace }: Counter, place: Place): Promise<Error> {
  const last = await findLastTurn(ctx.db, name);
  const left = Date.parse(last ?? '') + pace.every - ctx.clock.now().getTime();
  const seconds = Math.max(1, Math.ceil((Number.isNaN(left) ? 0 : left) / 1000));
  const isUnknown = place !== 'session' && 'address' in place;
  return fail(isUnknown ? 'session.slowed' : 'request.rate_limited', { seconds });
}

/** Forgets the wrong attempts of a user, from wherever; false: there were none. */
export const unlock = (ctx: Context, user: Known): Promise<boolean> =>
  removeAttempts(ctx.db, accountOf(user, ''));

/** Deletes what no longer counts. */
export function tidyAttempts({ db, clock }: Context): Promise<void> {
  const paces = [fromOnePlace, ...Object.values(fromAllAddresses)];
  const longest = Math.max(...paces.map(({ memory }) => memory));
  return removeAttemptsBefore(db, new Date(clock.now().getTime() - longest).toISOString());
}
