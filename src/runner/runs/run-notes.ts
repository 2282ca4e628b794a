// Two notes in the folder of a run: that its files are laid out, and where its states were set aside.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TemplateRef } from '../api/runner-api.ts';
import { readSmallFile } from '../../node/fs/small-file.ts';

/** What is written later than this file was not in the commit. */
export const begunFile = (dir: string): string => join(dir, 'begun.json');
const asideFile = (dir: string): string => join(dir, 'states-aside');

/** Whose run it is, such as `project-3-template-9`. */
export const labelOf = ({ project_id: project, template_id: template }: TemplateRef): string =>
  `project-${project}-template-${template}`;

/** Notes that the files of the run are laid out, and whose run it is. */
export const noteFiles = ({ dir }: { dir: string }, task: TemplateRef): Promise<void> =>
  writeFile(begunFile(dir), JSON.stringify({ label: labelOf(task) }), { mode: 0o600 });

/** The project and template of the run; null: its files are not laid out, so no program has begun. */
export function readLabel(dir: string): string | null {
  const text = readSmallFile(begunFile(dir));
  return text === null ? null : (JSON.parse(text) as { label: string }).label;
}

export const noteAside = (dir: string, folder: string): Promise<void> =>
  writeFile(asideFile(dir), folder, { mode: 0o600 });

/** Where the states of the run were set aside; null: they were not. */
export const readAside = (dir: string): string | null => readSmallFile(asideFile(dir));
