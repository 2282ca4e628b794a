// Judges whether the time of a pattern can grow with the square of a text or faster: by an analysis of the
// pattern, and by timing it on texts that are made to be hard.

import { runInNewContext } from 'node:vm';
import { analyse } from 'scslre';
import { attacksOn, type Attack, type Pattern } from './attacks.ts';

/**
 * How often the repeated part of a text is repeated at first: a time that grows exponentially is long
 * already, but ends.
 */
const repetitions = [12, 20, 26];
/** The characters of further texts. For the longest the square of the length takes ten milliseconds. */
const lengths = [1024, 16_384];
/** A search whose time grows with the length takes a fraction of a millisecond. */
const slowMs = 5;
/** The machine may be busy; the fastest try counts. */
const tries = 3;
/** All texts for a pattern take a fraction of a second. */
const longestMs = 60_000;

/** Why a pattern is too slow; null if it is not. */
export function judge(pattern: Pattern): string | null {
  const [report] = analyse({ source: pattern.source, flags: pattern.flags }).reports;
  if (report) {
    const text = JSON.stringify(report.character.pick);
    return `${report.exponential ? 'exponential' : 'quadratic'}: many of ${text}`;
  }
  const attack = timedAttack(new RegExp(pattern.source, pattern.flags), attacksOn(pattern));
  return attack && `slow for ${JSON.stringify(attack)}`;
}

/** The first attack that succeeds; null if none does. */
function timedAttack(regexp: RegExp, attacks: Attack[]): Attack | null {
  let last: Attack | null = null;
  const find = (): boolean =>
    attacks.some((attack) => {
      last = attack;
      return isSlow(regexp, attack);
    });
  try {
    // A search that does not end can be stopped only here.
    return runInNewContext('find()', { find }, { timeout: longestMs }) ? last : null;
  } catch {
    return last;
  }
}

function isSlow(regexp: RegExp, { start, repeated, end }: Attack): boolean {
  const further = lengths.map((length) => Math.ceil(length / repeated.length));
  return [...repetitions, ...further].some((count) => {
    const text = start + repeated.repeat(count) + end;
    return Array.from({ length: tries }).every(() => msOf(regexp, text) > slowMs);
  });
}

function msOf(regexp: RegExp, text: string): number {
  const begun = performance.now();
  regexp.lastIndex = 0;
  regexp.test(text);
  return performance.now() - begun;
}
