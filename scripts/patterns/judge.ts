// Tells whether a pattern can take long: a time that grows with the square of a text, or faster.
// Two judges decide: one analyses the pattern, the other counts steps on texts that are made to be
// hard.

import { analyse } from 'scslre';
import { attacksOn, type Attack } from './attacks.ts';
import { stepCounter, type Pattern } from './steps.ts';

// How often the repeated part of a text is repeated: first, and then to see how the steps grow.
const few = 24;
const [some, often] = [100, 400] as const;
/**
 * A text of four times the length takes four times the steps if they grow with the length, and
 * sixteen times if they grow with its square.
 */
const mostGrowth = 8;
const mostSteps = 400_000;

/** Why a pattern is too slow; null if it is not. */
export function judge(pattern: Pattern): string | null {
  const [report] = analyse({ source: pattern.source, flags: pattern.flags }).reports;
  if (report) {
    const text = JSON.stringify(report.character.pick);
    return `${report.exponential ? 'exponential' : 'quadratic'}: many of ${text}`;
  }
  const count = stepCounter(pattern);
  const attack = attacksOn(pattern).find((one) => isSlow(count, one));
  return attack ? `slow for ${JSON.stringify(attack)}` : null;
}

const textOf = ({ start, repeated, end }: Attack, times: number): string =>
  start + repeated.repeat(times) + end;

function isSlow(count: ReturnType<typeof stepCounter>, attack: Attack): boolean {
  const first = textOf(attack, few);
  if (count(first, mostSteps) < 4 * first.length) return false;
  const steps = count(textOf(attack, often), mostSteps);
  return steps >= mostSteps || steps > mostGrowth * count(textOf(attack, some), mostSteps);
}
