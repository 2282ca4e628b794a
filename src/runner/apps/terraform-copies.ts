// The copies of the kept states of a template: one from before each apply, and one of each state that
// another took the place of. They lie beside the folder of the states, which belongs to the user of a run,
// who may put links there.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerConfig } from '../config/runner-config.ts';
import type { TemplateRef } from '../api/runner-api.ts';
import { stateOf } from './terraform-states.ts';

export interface StateCopy {
  name: string;
  path: string;
  workspace: string;
  time: Date;
  /** The task before whose apply it was made; null: another state took its place. */
  taskId: number | null;
}

export const copiesOf = (config: RunnerConfig, task: TemplateRef): string =>
  `${stateOf(config, task)}.backups`;

const MAX_COPIES = 5;

/** The name of a new copy; `taskId` is null for one of a state that another takes the place of. */
export const nameOfCopy = (workspace: string, taskId: number | null): string =>
  `${Date.now()}-${taskId === null ? 'replaced' : `task-${taskId}`}.${workspace}.tfstate`;

const copyName = /^(\d{1,15})-(?:task-(\d{1,15})|replaced)\.(.{1,200})\.tfstate$/u;

/** The copies of all workspaces, the oldest first. */
export async function listCopies(config: RunnerConfig, task: TemplateRef): Promise<StateCopy[]> {
  const folder = copiesOf(config, task);
  const names = await readdir(folder).catch(() => []);
  return names
    .toSorted((one, other) => (one < other ? -1 : 1))
    .flatMap((name) => {
      const [, time, taskId, workspace] = copyName.exec(name) ?? [];
      if (workspace === undefined) return [];
      const id = taskId === undefined ? null : Number(taskId);
      const path = join(folder, name);
      return [{ name, path, workspace, time: new Date(Number(time)), taskId: id }];
    });
}

/** The copies of one workspace, the oldest first. */
export const copiesIn = async (
  config: RunnerConfig,
  task: TemplateRef,
  workspace: string,
): Promise<StateCopy[]> =>
  (await listCopies(config, task)).filter((copy) => copy.workspace === workspace);

export async function removeOldCopies(
  config: RunnerConfig,
  task: TemplateRef,
  workspace: string,
): Promise<void> {
  const copies = await copiesIn(config, task, workspace);
  for (const { path } of copies.slice(0, -MAX_COPIES)) await rm(path, { force: true });
}
