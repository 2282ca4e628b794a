// Slows down guessing: after some wrong passwords an account is locked for a while,
// whatever address the guesses come from. Addresses are limited by the endpoint.

const allowed = 10;
const windowMs = 5 * 60_000;
const remembered = 10_000;

export interface Attempts {
  /** Seconds until this account may try again; 0: now. */
  wait: (account: string, now: Date) => number;
  /** Counts as wrong until it has succeeded. */
  started: (account: string, now: Date) => void;
  succeeded: (account: string) => void;
}

export function createAttempts(): Attempts {
  const accounts = new Map<string, { count: number; since: number }>();
  const current = (account: string, now: Date) => {
    const entry = accounts.get(account);
    return entry && now.getTime() - entry.since < windowMs ? entry : null;
  };
  return {
    wait(account, now) {
      const entry = current(account, now);
      if (!entry || entry.count < allowed) return 0;
      return Math.ceil((entry.since + windowMs - now.getTime()) / 1000);
    },
    started(account, now) {
      const entry = current(account, now) ?? { count: 0, since: now.getTime() };
      accounts.delete(account);
      accounts.set(account, { ...entry, count: entry.count + 1 });
      const [oldest] = accounts.keys();
      if (accounts.size > remembered && oldest !== undefined) accounts.delete(oldest);
    },
    succeeded(account) {
      accounts.delete(account);
    },
  };
}
