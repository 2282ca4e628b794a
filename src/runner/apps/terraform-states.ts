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

/** The folder of all states; it has a folder for each project, and in it one for each template. */
export const statesOf = (config: RunnerConfig): string => join(config.dataDir, 'terraform');

/** The folder of a template, with its states, plugins and notes. */
export const stateOf = (config: RunnerConfig, task: TemplateRef): string =>
  join(statesOf(config), String(task.project_id), String(task.template_id));

/** The folder of the states of a template, one for each workspace. */
export const stateFolder = (config: RunnerConfig, task: TemplateRef): string =>
  join(stateOf(config, task), 'state');

/** The workspace that a task has in place of an inventory; null: it has none. */
export const chosenWorkspace = ({ snapshot: { inventory } }: RunnerTask): string | null =>
  inventory && isWorkspace(inventory.type) ? inventory.inventory : null;

/** The workspace of Terraform that a task uses. The programs refuse to choose one against the variable. */
export const workspaceOf = (preparation: Parameters<typeof givenVariables>[0]): string =>
  chosenWorkspace(preparation.task) ?? (givenVariables(preparation)['TF_WORKSPACE'] || 'default');

export interface KeptState {
  workspace: string;
  path: string;
  content: StateContent;
}

const stateFile = 'terraform.tfstate';

/** The file of a workspace's state in the folder of the states. */
export const fileOfState = (workspace: string): string =>
  workspace === 'default' ? stateFile : join(`${stateFile}.d`, workspace, stateFile);

/** The kept states of a template, by workspace. */
export async function keptStates(config: RunnerConfig, task: TemplateRef): Promise<KeptState[]> {
  const root = stateFolder(config, task);
  const others = await readdir(join(root, `${stateFile}.d`)).catch(() => []);
  const all = ['default', ...others].map((workspace) => ({
    workspace,
    file: fileOfState(workspace),
  }));
  const contents = await readStates(
    all.map(({ file }) => ({ root, path: file })),
    null,
  );
  return all.flatMap(({ workspace, file }, index) => {
    const content = contents[index];
    const state = content && { workspace, path: join(root, file), content };
    return state && content.is !== 'absent' ? [state] : [];
  });
}

/** Gives the folder back to the runner after a run, because the user's next task may be another project's. */
export async function takeStateBack(
  config: RunnerConfig,
  task: TemplateRef,
  user: RunUser,
): Promise<void> {
  const folder = stateOf(config, task);
  const owner = (await stat(folder).catch(() => null))?.uid;
  if (owner === user.uid) await giveFolder(folder, null);
}

/** Gives the folder of the template's state to the user of this run and returns its path. */
export async function ownFolder(preparation: Preparation): Promise<string> {
  const folder = stateOf(preparation.ctx.config, preparation.task);
  const { user } = preparation.workspace;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!user) return folder;
  // Set explicitly, whatever the umask is, because the user has to pass the folder of the project.
  await chmod(dirname(folder), 0o711);
  if (await untilUnused(preparation, folder, user)) return folder;
  await giveFolder(folder, user);
  await chmod(folder, 0o700);
  return folder;
}

/** Waits while another running task has the folder, which it could not write any more; true: it is ours. */
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

/** The templates of which something is kept. The names of notes and copies begin with that of the folder. */
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

/** Whether nothing is lost with what is kept of a template: no state holds or held objects. */
export async function isWithoutObjects(config: RunnerConfig, task: TemplateRef): Promise<boolean> {
  const states = await keptStates(config, task);
  const isEmptied = ({ content }: KeptState): boolean =>
    content.is === 'state' && content.objects === 0;
  if (states.length > 0) return states.every(isEmptied);
  return !(await filesOfState(config, task)).some((path) => path.endsWith('.backups'));
}
