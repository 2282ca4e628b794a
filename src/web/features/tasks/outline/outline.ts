// The plays and tasks of a log: which lines belong to each, and which of them went wrong. Pure.

import type { LogSection } from '#shared/api/task-log.ts';
import type { Fold } from './folds.ts';

export interface Section extends LogSection {
  /** Its last line; Infinity while nothing comes behind it. */
  end: number;
}

export interface Outline {
  sections: readonly Section[];
  /** By the lines in which they begin. */
  at: ReadonlyMap<number, Section>;
  /** Tasks in which something failed. */
  failed: readonly Section[];
  plays: readonly Section[];
  /** False: there are more sections than are told apart. */
  isComplete: boolean;
}

export const counts = ['ok', 'changed', 'skipped', 'ignored', 'failed', 'unreachable'] as const;

export const hasFailed = ({ failed, unreachable }: LogSection): boolean => failed + unreachable > 0;

const endsPlay = ({ kind }: LogSection): boolean => kind === 'play' || kind === 'recap';

export function createOutline(told: readonly LogSection[], isComplete: boolean): Outline {
  const sections: Section[] = [];
  let next = Infinity;
  let nextPlay = Infinity;
  let sums = noCounts();
  // From behind, so that everything that belongs to a play is known at its head.
  for (const section of told.toReversed()) {
    const isPlay = section.kind === 'play';
    const end = (isPlay ? nextPlay : next) - 1;
    sections.push({ ...section, ...(isPlay && sums), end });
    if (isPlay) sums = noCounts();
    else for (const name of counts) sums[name] += section[name];
    next = section.line;
    if (endsPlay(section)) nextPlay = section.line;
  }
  sections.reverse();
  return {
    sections,
    at: new Map(sections.map((section) => [section.line, section])),
    failed: sections.filter((section) => section.kind !== 'play' && hasFailed(section)),
    plays: sections.filter(({ kind }) => kind === 'play'),
    isComplete,
  };
}

const noCounts = () => ({ ok: 0, changed: 0, skipped: 0, ignored: 0, failed: 0, unreachable: 0 });

export const noOutline = createOutline([], true);

/** The end of a run is short and always shown. */
export const canFold = ({ kind, line, end }: Section): boolean => kind !== 'recap' && end > line;

/** What is hidden when the sections that begin in these lines are folded. */
export function foldedLines({ sections }: Outline, folded: ReadonlySet<number>): Fold[] {
  const ranges: Fold[] = [];
  let hidden = 0;
  for (const section of sections) {
    const { line, end } = section;
    if (line <= hidden || !folded.has(line) || !canFold(section)) continue;
    ranges.push({ from: line + 1, to: end });
    hidden = end;
  }
  return ranges;
}

/** The sections around a line, by the lines in which they begin. */
export const around = ({ sections }: Outline, line: number): number[] =>
  sections.filter((section) => section.line < line && line <= section.end).map((one) => one.line);
