// Finds the line numbers of plays, tasks and results in the log of a run.

import type { RunSection } from './run-sections.ts';
import { countLinesBefore, openSpoolLines, type SpoolLines } from './spool-lines.ts';

export interface RunLines {
  /** Opens the spool when it is needed first. */
  open: () => Promise<SpoolLines>;
  ofSection: (section: RunSection) => Promise<number>;
  close: () => Promise<void> | undefined;
}

export interface LoggedRun {
  spool: string;
  /** The byte of the spool after the stored lines, and the number of lines of the log up to there. */
  from: number;
  lines: number;
}

export function createRunLines({ spool, from, lines: stored }: LoggedRun): RunLines {
  let opened: SpoolLines | null = null;
  const ofSections = new Map<number, number>();
  const open = async (): Promise<SpoolLines> =>
    (opened ??= await openSpoolLines(spool, stored - (await countLinesBefore(spool, from))));
  return {
    open,
    async ofSection(section: RunSection): Promise<number> {
      if (section.place) {
        const line = await (await open()).lineOf(section.place, section.name);
        ofSections.set(section.number, line);
        section.place = null;
      }
      return ofSections.get(section.number) ?? 1;
    },
    close: () => opened?.close(),
  };
}
