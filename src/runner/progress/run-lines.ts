// Finds the lines of a run's log at which its plays, tasks and results are.

import type { RunSection } from './run-sections.ts';
import { countLinesBefore, openSpoolLines, type SpoolLines } from './spool-lines.ts';

export interface RunLines {
  /** The lines of the spool, which is opened when they are needed. */
  open: () => Promise<SpoolLines>;
  ofSection: (section: RunSection) => Promise<number>;
  close: () => Promise<void> | undefined;
}

export interface LoggedRun {
  spool: string;
  /** The byte of the spool behind the stored lines, and how many lines the log has up to there. */
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
