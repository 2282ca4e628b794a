// Replaces the state in use by a copy of a state, or by one that was set aside. The state in use is copied first.
// The next plan has to be confirmed, with this reason.

import { readdir, stat, chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join, basename, dirname } from 'node:path';
import type { ToldState, ToldStates, TakenState } from '#shared/api/kept-states.ts';
import { listCopies, copiesOf, nameOfCopy, noteReplaced } from '../apps/terraform-origin.ts';
import {
  keptStates,
  listStates,
  stateOf,
  fileOfState,
  stateFolder,
} from '../apps/terraform-states.ts';
import type { TemplateRef } from '../api/runner-api.ts';
import { placeOf, readStates } from '../sandbox/sandbox.ts';
import type { StateContent } from '../sandbox/terraform-files.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { listAside, type Aside } from '../../node/data-folder/set-aside.ts';
import { resolveInside } from '../sandbox/inside.ts';
import { labelOf, readLabel } from '../runs/run-notes.ts';
import { giveFolder } from '../workspace/run-users.ts';
import { listRunFolders } from '../workspace/workspace.ts';

// Lists the states of Terraform that this runner keeps for a template: those in use, their copies, and those that
// were set aside. Only counts and names leave the runner, because states contain secrets.

interface FoundState extends ToldState {
  path: string;
  root: string;
}

/** A state whose file was not read yet. */
type Named = Omit<FoundState, 'content' | 'serial' | 'lineage' | 'objects'>;

const MAX_FOLDERS = 100;
const MAX_FILES_OF_FOLDER = 20;
const MAX_NAMES = 20_000;

/** The result has to fit into one message between servers. */
const MAX_ANSWER_BYTES = 6000;

/** `template_id` null: the states in use of all templates of the project. */
export async function inspectStates(
  config: RunnerConfig,
  wanted: { project_id: number; template_id: number | null },
): Promise<ToldStates> {
  const { template_id: templateId } = wanted;
  const found =
    templateId === null
      ? await statesOfProject(config, wanted.project_id)
      : await findStates(config, { ...wanted, template_id: templateId });
  const states: ToldState[] = [];
  let size = 0;
  for (const { path: _path, root: _root, ...state } of found) {
    size += Buffer.byteLength(JSON.stringify(state)) + 1;
    if (size > MAX_ANSWER_BYTES) break;
    states.push(state);
  }
  return { states, is_cut: states.length < found.length };
}

async function statesOfProject(config: RunnerConfig, projectId: number): Promise<FoundState[]> {
  const templates = (await listStates(config)).filter((one) => one.project_id === projectId);
  const all: FoundState[] = [];
  for (const one of templates.slice(0, MAX_FOLDERS)) all.push(...(await statesInUse(config, one)));
  return all;
}

/** The states in use first, then copies and states that were set aside, newest first. */
async function findStates(config: RunnerConfig, task: TemplateRef): Promise<FoundState[]> {
  const [current, copies, aside] = [
    await statesInUse(config, task),
    (await listCopies(config, task)).toReversed(),
    await listAside(config, 'terraform'),
  ];
  const named: Named[] = [
    ...copies.map(({ name, path, workspace, time, taskId }) => ({
      ...task,
      is: 'copy' as const,
      name,
      path,
      workspace,
      time: time.toISOString(),
      root: '/',
      task_id: taskId,
      installation: null,
    })),
    ...(await Promise.all(ownFirst(aside, task).slice(0, MAX_FOLDERS).map(namesOfAside))).flat(),
  ];
  return [...current, ...(await readAll(named))];
}

/** Those of the project first. */
function ownFirst(all: Aside[], { project_id: project }: TemplateRef): Aside[] {
  const isOwn = ({ label }: Aside): boolean => label.startsWith(`project-${project}-`);
  return [...all.filter(isOwn), ...all.filter((one) => !isOwn(one))];
}

async function statesInUse(config: RunnerConfig, task: TemplateRef): Promise<FoundState[]> {
  const states = await keptStates(config, task);
  return Promise.all(
    states
      .filter(({ content }) => content.is !== 'other')
      .map(async ({ workspace, path, content }) => ({
        ...task,
        ...toldOf(content),
        is: 'current' as const,
        name: workspace,
        workspace,
        path,
        root: stateOf(config, task),
        time: (await stat(path)).mtime.toISOString(),
        task_id: null,
        installation: null,
      })),
  );
}

async function readAll(named: Named[]): Promise<FoundState[]> {
  const contents = await readStates(
    named.map(({ root, path }) => placeOf([root], path)),
    null,
  );
  return named.flatMap((one, index) => {
    const content = contents[index] ?? { is: 'absent' };
    return content.is === 'absent' || content.is === 'other'
      ? []
      : [{ ...one, ...toldOf(content) }];
  });
}

function toldOf(
  content: StateContent,
): Pick<ToldState, 'content' | 'serial' | 'lineage' | 'objects'> {
  if (content.is === 'state') {
    const { serial, lineage, objects } = content;
    return { content: 'state', serial, lineage, objects };
  }
  const is = content.is === 'empty' ? 'empty' : 'damaged';
  return { content: is, serial: null, lineage: null, objects: null };
}

const labelForm = /^project-(\d{1,15})-template-(\d{1,15})(?:-task-(\d{1,15}))?$/;
const stateName = /\.tfstate(?:\.backup)?$/;
const workspaceForm = /(?:^|\/)terraform\.tfstate\.d\/([^/]{1,200})\/terraform\.tfstate$/u;
/** Whether a path in a folder that was set aside is a copy. */
const isCopy = (path: string): boolean => /^\d{1,15}\.backups\//.test(path);

/** The states among the paths of such a folder, without copies and backups that programs keep beside a state. */
function statesAmong(paths: string[]): string[] {
  const states = paths.filter((path) => stateName.test(path) && !isCopy(path));
  return states.filter((path) => {
    const main = path.replace(/\.backup$/, '');
    return main === path || !states.includes(main);
  });
}

/** The states in a folder that was set aside, without their copies. */
async function namesOfAside({ name, folder, label, time, installation }: Aside): Promise<Named[]> {
  const [, project, template, task] = labelForm.exec(label) ?? [];
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return statesAmong(names.slice(0, MAX_NAMES))
    .sort()
    .slice(0, MAX_FILES_OF_FOLDER)
    .map((path) => ({
      is: 'aside',
      name: `${name}/${path}`,
      project_id: Number(project ?? 0),
      template_id: Number(template ?? 0),
      workspace: workspaceForm.exec(path)?.[1] ?? 'default',
      time,
      task_id: task === undefined ? null : Number(task),
      installation,
      path: join(folder, path),
      root: folder,
    }));
}

interface WantedState extends TemplateRef {
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
