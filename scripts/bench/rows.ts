// What a benchmark says: a row for each thing that it measured, with what the same run measured
// beside it.

type Unit = 'ms' | 's' | 'kB' | 'MB' | 'a second' | 'a minute' | '% of a core' | 'requests';

export interface Row {
  what: string;
  unit: Unit;
  /** Several measurements of the same thing, in the unit. */
  ours: number[];
  /** What we compare with, measured in turns with ours. */
  baseline?: { name: string; values: number[] };
  target: Target;
}

/** A number in the row's unit, or a ratio of the two medians. */
interface Target {
  atMost?: number;
  atLeast?: number;
  ratioAtMost?: number;
  ratioAtLeast?: number;
}

/** A benchmark: measures, and answers its rows. */
export type Bench = () => Promise<Row[]>;

/** The value below which `share` of the values lie. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]): number => quantile(values, 0.5);

/** Ours in relation to the baseline; null without one. */
export const ratioOf = ({ ours, baseline }: Row): number | null =>
  baseline ? median(ours) / median(baseline.values) : null;

export function isMet(row: Row): boolean {
  const { atMost = Infinity, atLeast = -Infinity } = row.target;
  const { ratioAtMost = Infinity, ratioAtLeast = -Infinity } = row.target;
  const own = median(row.ours);
  const ratio = ratioOf(row) ?? 1;
  return own <= atMost && own >= atLeast && ratio <= ratioAtMost && ratio >= ratioAtLeast;
}

interface InTurn {
  ours: number[];
  theirs: number[];
}

/** Measures both `count` times, by turns, because the load of the machine changes. */
export async function inTurn(
  count: number,
  measureOurs: () => Promise<number>,
  measureTheirs: () => Promise<number>,
): Promise<InTurn> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let number = 0; number < count; number += 1) {
    ours.push(await measureOurs());
    theirs.push(await measureTheirs());
  }
  return { ours, theirs };
}

/** Measures `count` times, one after the other. */
export async function repeat(count: number, measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let number = 0; number < count; number += 1) values.push(await measure());
  return values;
}

/** The milliseconds that something takes. */
export async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
