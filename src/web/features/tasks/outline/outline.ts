// The plays and tasks of a log, with their lines and failures. Pure functions.

import type { LogSection, ShownSection } from '#shared/api/task-log.ts';
import type { Fold } from './folds.ts';

export interface Section extends ShownSection {
  /** Its last line; Infinity for the last section while it may grow. */
  end: number;
  /** Unique in the outline: sections without output begin at the same line. */
  key: string;
}

export interface Outline {
  sections: readonly Section[];
  at: ReadonlyMap<number, Section>;
  failed: readonly Section[];
  plays: readonly Section[];
  /** False if the log has more sections than the server returns. */
  isComplete: boolean;
}

export const counts = [
  'ok',
  'changed',
  'skipped',
  'ignored',
  'rescued',
  'failed',
  'unreachable',
] as const;

export const hasFailed = ({ failed, unreachable }: LogSection): boolean => failed + unreachable > 0;

const endsPlay = ({ kind }: LogSection): boolean => kind === 'play' || kind === 'recap';

export function createOutline(
  shownSections: readonly ShownSection[],
  isComplete: boolean,
): Outline {
  const sections: Section[] = [];
  let next = Infinity;
  let nextPlay = Infinity;
  let sums = noCounts();
  // Backwards, so that the tasks of a play are complete at its heading.
  for (const [index, section] of shownSections.toReversed().entries()) {
    const isPlay = section.kind === 'play';
    const end = (isPlay ? nextPlay : next) - 1;
    const key = `${section.line}-${shownSections.length - index}`;
    sections.push({ ...section, ...(isPlay && sums), end, key });
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

export const noCounts = () => ({
  ok: 0,
  changed: 0,
  skipped: 0,
  ignored: 0,
  rescued: 0,
  failed: 0,
  unreachable: 0,
});

export const noOutline = createOutline([], true);

/** The line of the next or previous failure; wraps around at the ends. */
export function failureBeside({ failed }: Outline, line: number, by: 1 | -1): number | undefined {
  const beside =
    by === 1
      ? failed.find((section) => section.line > line)
      : failed.findLast((section) => section.line < line);
  return (beside ?? failed.at(by === 1 ? 0 : -1))?.line;
}

/** The recap is short and always shown. */
export const canFold = ({ kind, line, end }: Section): boolean => kind !== 'recap' && end > line;

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

export const around = ({ sections }: Outline, line: number): number[] =>
  sections.filter((section) => section.line < line && line <= section.end).map((one) => one.line);
