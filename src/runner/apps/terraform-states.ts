// The folders that keep the state of Terraform between two runs of a template.

import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWorkspace } from '#shared/api/inventories.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import type { RunUser } from '../../node/process/run-users.ts';
import { readStates } from '../sandbox/sandbox.ts';
import type { StateContent } from '../sandbox/terraform-files.ts';
import type { TemplateRef } from '../api/runner-api.ts';
import { givenVariables, type Preparation } from '../prepare/prepare.ts';
import { giveFolder, isTaken, untilReleased } from '../workspace/run-users.ts';

/** The folder of all states, with a folder for each project, and in it one for each template. */
export const statesOf = (config: RunnerConfig): string => join(config.dataDir, 'terraform');

/** The folder of a template, with its states, plugins and notes. */
export const stateOf = (config: RunnerConfig, task: TemplateRef): string =>
  join(statesOf(config), String(task.project_id), String(task.template_id));

/** The folder of the states of a template, one for each workspace. */
export const stateFolder = (config: RunnerConfig, task: TemplateRef): string =>
  join(stateOf(config, task), 'state');

/** The workspace that a task has as its inventory; null: none. */
export const chosenWorkspace = ({ snapshot: { inventory } }: RunnerTask): string | null =>
  inventory && isWorkspace(inventory.type) ? inventory.inventory : null;

/** The Terraform workspace of a task. The programs refuse to select another one than TF_WORKSPACE. */
export const workspaceOf = (preparation: Parameters<typeof givenVariables>[0]): string =>
  chosenWorkspace(preparation.task) ?? (givenVariables(preparation)['TF_WORKSPACE'] || 'default');

export interface KeptState {
  workspace: string;
  path: string;
  content: StateContent;
}

const stateFile = 'terraform.tfstate';

export const fileOfState = (workspace: string): string =>
  workspace === 'default' ? stateFile : join(`${stateFile}.d`, workspace, stateFile);

export async function keptStates(config: RunnerConfig, task: TemplateRef): Promise<KeptState[]> {
  const root = stateFolder(config, task);
  const others = await readdir(join(root, `${stateFile}.d`)).catch(() => []);
  const workspaces = ['default', ...others];
  const places = workspaces.map((workspace) => ({ root, path: fileOfState(workspace) }));
  const contents = await readStates(places, null);
  return workspaces.flatMap((workspace, index) => {
    const content = contents[index];
    const path = join(root, fileOfState(workspace));
    return content && content.is !== 'absent' ? [{ workspace, path, content }] : [];
  });
}

/** Gives the folder of the template's state to the user of this run and returns its path. */
export async function ownFolder(preparation: Preparation): Promise<string> {
  const folder = stateOf(preparation.ctx.config, preparation.task);
  const { user } = preparation.workspace;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  preparation.execution.share(folder, 'write');
  if (!user) return folder;
  // mkdir would apply the umask, but the user has to pass through the folder of the project.
  await chmod(dirname(folder), 0o711);
  if (await untilUnused(preparation, folder, user)) return folder;
  await giveFolder(folder, user);
  await chmod(folder, 0o700);
  return folder;
}

/** Waits while a running task of another user has the folder; true: it belongs to the user already. */
async function untilUnused(
  { ctx, signal, say }: Preparation,
  folder: string,
  user: RunUser,
): Promise<boolean> {
  for (let hasTold = false; ; hasTold = true) {
    const { uid } = await stat(folder);
    if (uid === user.uid) return true;
    if (!isTaken(ctx.config, uid)) return false;
    if (!hasTold) await say('Waiting for the end of another task of this template.');
    await untilReleased(ctx.config, uid, signal);
  }
}

/** The templates with kept files. Names of notes and copies begin with the name of the template's folder. */
export async function listStates(config: RunnerConfig): Promise<TemplateRef[]> {
  const all = new Map<string, TemplateRef>();
  for (const project of await namesIn(statesOf(config))) {
    for (const name of await namesIn(join(statesOf(config), project))) {
      const template = name.split('.')[0] ?? '';
      const ids = { project_id: Number(project), template_id: Number(template) };
      if (isId(ids.project_id) && isId(ids.template_id)) all.set(`${project}/${template}`, ids);
    }
  }
  return [...all.values()];
}

const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** The folder of a template's state, with its notes and copies. */
export async function filesOfState(config: RunnerConfig, task: TemplateRef): Promise<string[]> {
  const folder = dirname(stateOf(config, task));
  const own = (name: string): boolean => name.split('.')[0] === String(task.template_id);
  return (await namesIn(folder)).filter(own).map((name) => join(folder, name));
}

/** Whether no state of the template has objects, and no copies of earlier states exist. */
export async function isWithoutObjects(config: RunnerConfig, task: TemplateRef): Promise<boolean> {
  const states = await keptStates(config, task);
  const isEmptied = ({ content }: KeptState): boolean =>
    content.is === 'state' && content.objects === 0;
  if (states.length > 0) return states.every(isEmptied);
  return !(await filesOfState(config, task)).some((path) => path.endsWith('.backups'));
}
