// What a benchmark measures, and how: ours and the baseline in turn, since a machine's load changes.

export type Unit = 'ms' | 'kB' | 'MB' | 'requests' | 'a minute' | '% of a core';

/** Returns one value, or several of one round. */
type Take = () => Promise<number | number[]>;

export interface Measure {
  what: string;
  unit: Unit;
  rounds: number;
  take: Take;
  /** The baseline, unless that is another build. */
  beside?: { name: string; take: Take };
}

/** A benchmark of one build. */
export interface Opened {
  measures: Measure[];
  end: () => Promise<unknown>;
}

export type Bench = (checkout: string) => Promise<Opened>;

export interface Row {
  what: string;
  unit: Unit;
  ours: number[];
  baseline: { name: string; values: number[] } | null;
}

/** Takes a measure in turn with its baseline, which is `other` if that is given. */
export async function takeRow(own: Measure, other: Measure | null, name: string): Promise<Row> {
  const beside = other ? { name, take: other.take } : own.beside;
  let [ours, values]: [number[], number[]] = [[], []];
  const takeOurs = async (): Promise<void> => {
    ours = ours.concat(await own.take());
  };
  const takeTheirs = async (): Promise<void> => {
    values = values.concat((await beside?.take()) ?? []);
  };
  for (let round = 0; round < own.rounds; round += 1) {
    const turns = [takeOurs, takeTheirs];
    // The order changes, so that a machine that grows slower or faster favours neither.
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  const { what, unit } = own;
  return { what, unit, ours, baseline: beside ? { name: beside.name, values } : null };
}

/** The value below which `share` of the values lie. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Ours in relation to the baseline, by the medians; null without one. */
export const ratioOf = ({ ours, baseline }: Row): number | null =>
  baseline && quantile(ours, 0.5) / quantile(baseline.values, 0.5);

export async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
