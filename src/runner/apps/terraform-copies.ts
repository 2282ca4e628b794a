// The copies of the kept states of a template: one from before each apply, and one of each replaced state. They
// lie beside the folder of the states: that one belongs to the user of a run, who could create links there.

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
  /** The task whose apply it precedes; null: a copy of a state that was replaced. */
  taskId: number | null;
}

export const copiesOf = (config: RunnerConfig, task: TemplateRef): string =>
  `${stateOf(config, task)}.backups`;

const MAX_COPIES = 5;

/** `taskId` is null for the copy of a state that is replaced. */
export const nameOfCopy = (workspace: string, taskId: number | null): string =>
  `${Date.now()}-${taskId === null ? 'replaced' : `task-${taskId}`}.${workspace}.tfstate`;

const copyName = /^(\d{1,15})-(?:task-(\d{1,15})|replaced)\.(.{1,200})\.tfstate$/u;

/** The copies of all workspaces, oldest first. */
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
