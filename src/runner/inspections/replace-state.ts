// Replaces the state in use by a copy of a state, or by one that was set aside. The state in use is copied first.
// The next plan has to be confirmed, with this reason.

import { chmod, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TakenState } from '#shared/api/kept-states.ts';
import { copiesOf, nameOfCopy } from '../apps/terraform-copies.ts';
import { noteReplaced } from '../apps/terraform-origin.ts';
import { fileOfState, stateFolder, stateOf } from '../apps/terraform-states.ts';
import type { TemplateRef } from '../api/runner-api.ts';
import { resolveInside } from '../sandbox/inside.ts';
import { labelOf, readLabel } from '../runs/run-notes.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { giveFolder } from '../workspace/run-users.ts';
import { listRunFolders } from '../workspace/workspace.ts';
import { findStates, isCopy, statesAmong, type FoundState } from './kept-states.ts';

export interface WantedState extends TemplateRef {
  is: 'copy' | 'aside';
  name: string;
  workspace: string;
}

export async function takeState(config: RunnerConfig, wanted: WantedState): Promise<TakenState> {
  const taskId = await taskWith(config, wanted);
  if (taskId !== null) return { is: 'in_use', task_id: taskId };
  const all = await findStates(config, wanted);
  const found = all.find(({ is, name }) => is === wanted.is && name === wanted.name);
  if (!found) return { is: 'gone', task_id: null };
  if (found.content !== 'state') return { is: 'unreadable', task_id: null };
  const done = await replace(config, wanted, found);
  return { is: done ? 'done' : 'unreadable', task_id: null };
}

/** The task of the template whose workspace is here, because it runs or is parked; null: none. */
async function taskWith(config: RunnerConfig, task: TemplateRef): Promise<number | null> {
  const own = labelOf(task);
  const dir = (await listRunFolders(config)).find((one) => readLabel(one) === own);
  return dir === undefined ? null : Number(basename(dir).split('-')[0]);
}

async function replace(
  config: RunnerConfig,
  { workspace, ...task }: WantedState,
  { is, path: from, root }: FoundState,
): Promise<boolean> {
  const resolved = resolveInside(root, from.slice(root === '/' ? 0 : root.length));
  if (typeof resolved === 'string' || !resolved.stat.isFile()) return false;
  const source = join(root, ...resolved.parts);
  const own = stateOf(config, task);
  await mkdir(own, { recursive: true, mode: 0o700 });
  // It may belong to the user of an earlier run, who must not create links there meanwhile.
  if (config.runAs.length > 0) await giveFolder(own, null);
  const path = join(stateFolder(config, task), fileOfState(workspace));
  const now = resolveInside(own, path.slice(own.length + 1));
  if (now === 'outside') return false;
  const copies = copiesOf(config, task);
  await mkdir(copies, { recursive: true, mode: 0o700 });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (now !== 'absent' && now.stat.size > 0) {
    await copyFile(join(own, ...now.parts), join(copies, nameOfCopy(workspace, null)));
  }
  await copyFile(source, `${path}.new`);
  await chmod(`${path}.new`, 0o600);
  await noteReplaced(config, task);
  await rename(`${path}.new`, path);
  if (is === 'aside') await forget(root, source, copies);
  return true;
}

/** Removes what was set aside and is in use again. Its copies are moved along with the last state. */
async function forget(folder: string, source: string, copies: string): Promise<void> {
  await rm(source, { force: true });
  await rm(`${source}.backup`, { force: true });
  const left = await readdir(folder, { recursive: true });
  if (statesAmong(left).length > 0) return;
  for (const path of left.filter((one) => isCopy(one) && one.endsWith('.tfstate'))) {
    await rename(join(folder, path), join(copies, basename(path)));
  }
  await rm(folder, { recursive: true, force: true });
}
