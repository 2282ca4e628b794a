// Plays and tasks as they are reported, masked.

import { relative } from 'node:path';
import type { TaskSection } from '#shared/api/runner-api.ts';
import type { RunLines } from './run-lines.ts';
import type { RunSection } from './run-sections.ts';
import { plainName, timeOf, type RunMasks } from './shown-result.ts';

export interface PlacedRun extends Pick<RunMasks, 'mask'> {
  /** The real path of the repository's files. */
  checkout: string;
}

/** Where a task is defined in the repository, masked. */
export function sourceIn(section: RunSection | null, { mask, checkout }: PlacedRun) {
  const { module = '', role = '', path = '', fileLine = null } = section ?? {};
  const inside = path === '' ? '..' : relative(checkout, path);
  const isInside = inside !== '..' && !inside.startsWith('../');
  return {
    module: plainName(mask, module),
    role: plainName(mask, role),
    path: isInside ? plainName(mask, inside) : null,
    file_line: isInside ? fileLine : null,
  };
}

export async function shownSections(
  sections: RunSection[],
  run: PlacedRun,
  lines: RunLines,
): Promise<TaskSection[]> {
  const all: TaskSection[] = [];
  for (const section of sections) {
    const line = await lines.ofSection(section);
    const { place: _place, path: _path, fileLine: _line, beginMs, endMs, ...rest } = section;
    const name = plainName(run.mask, section.name);
    const times = { begin: timeOf(beginMs), end: timeOf(endMs) };
    all.push({ ...rest, ...sourceIn(section, run), ...times, name, line });
  }
  return all;
}
