// Two notes in the folder of a run: that its files were checked out, and where its states were set aside.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TemplateRef } from '../api/runner-api.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';

/** Files that are newer than this one are not of the commit. */
export const begunFile = (dir: string): string => join(dir, 'begun.json');
const asideFile = (dir: string): string => join(dir, 'states-aside');

/** For example `project-3-template-9`. */
export const labelOf = ({ project_id: project, template_id: template }: TemplateRef): string =>
  `project-${project}-template-${template}`;

/** Records that the files of the run were checked out, and its project and template. */
export const noteFiles = ({ dir }: { dir: string }, task: TemplateRef): Promise<void> =>
  writeFile(begunFile(dir), JSON.stringify({ label: labelOf(task) }), { mode: 0o600 });

/** The project and template of the run; null: its files are not checked out, so no program has started. */
export function readLabel(dir: string): string | null {
  const text = readSmallFile(begunFile(dir));
  return text === null ? null : (JSON.parse(text) as { label: string }).label;
}

export const noteAside = (dir: string, folder: string): Promise<void> =>
  writeFile(asideFile(dir), folder, { mode: 0o600 });

/** Where the states of the run were set aside; null: nowhere. */
export const readAside = (dir: string): string | null => readSmallFile(asideFile(dir));
