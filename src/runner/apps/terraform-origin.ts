// Records what a kept state was made from, and copies it before each apply. A plan must be confirmed when that
// has changed: another repository or folder would destroy the objects of the state, and another workspace or
// runner would create them again.

import { readFile, writeFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';
import type { Preparation } from '../prepare/prepare.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { copyOut, isThere } from '../workspace/run-files.ts';
import type { TemplateRef } from '../api/runner-api.ts';
import { hasObjects } from './terraform-backend.ts';
import { keptStates, stateOf, workspaceOf, type KeptState } from './terraform-states.ts';

interface Origin {
  repository?: string;
  folder?: string;
  /** When the state was replaced since the last apply. */
  replaced?: string;
}

// Beside the folder of the state, which belongs to the user of a run, who could create links there.
const originFile = (config: RunnerConfig, task: TemplateRef): string =>
  `${stateOf(config, task)}.origin.json`;

const originOf = ({ snapshot }: RunnerTask): { repository: string; folder: string } => ({
  repository: snapshot.repository.git_url,
  folder: snapshot.playbook || '.',
});

/** What the state was made from; null: no apply yet, or by a version that did not record it. */
async function readOrigin(config: RunnerConfig, task: TemplateRef): Promise<Origin | null> {
  const text = await readFile(originFile(config, task), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Origin);
}

/** Why the plan must be confirmed; null: the state was made from this configuration. */
export async function whyAsk(preparation: Preparation): Promise<ConfirmationReason | null> {
  const { ctx, task } = preparation;
  const kept = await keptStates(ctx.config, task);
  const held = kept.filter(hasObjects);
  const own = workspaceOf(preparation);
  const state = held.find(({ workspace }) => workspace === own);
  if (state) return changeOf(await readOrigin(ctx.config, task), originOf(task), state);
  const [other] = held;
  if (other) {
    const params = { workspace: own, other: other.workspace, objects: countOf(other) };
    return { code: 'confirmation.workspace_changed', params };
  }
  // A state without objects remains after everything was destroyed.
  if (kept.some(({ workspace }) => workspace === own)) return null;
  const { applied_on: before, runner_name: server, is_restored: isRestored = false } = task;
  if (before !== undefined) {
    return before === server
      ? { code: 'confirmation.state_gone', params: {} }
      : { code: 'confirmation.state_elsewhere', params: { server, before } };
  }
  return isRestored ? { code: 'confirmation.restored', params: { server } } : null;
}

function changeOf(
  before: Origin | null,
  now: Required<Omit<Origin, 'replaced'>>,
  state: KeptState,
): ConfirmationReason | null {
  if (before === null) return null;
  const objects = countOf(state);
  const isOther = (name: 'repository' | 'folder'): boolean =>
    before[name] !== undefined && before[name] !== now[name];
  const names = (['repository', 'folder'] as const).filter(isOther);
  const [name] = names;
  if (names.length === 2) {
    const { repository = '', folder = '' } = before;
    const params = { ...now, repository_before: repository, folder_before: folder, objects };
    return { code: 'confirmation.configuration_changed', params };
  }
  if (name !== undefined) {
    const params = { objects, before: before[name] ?? '', now: now[name] };
    return { code: `confirmation.${name}_changed`, params };
  }
  return before.replaced === undefined
    ? null
    : { code: 'confirmation.state_replaced', params: { time: before.replaced } };
}

/** The number of objects of a state, for people; `?` if it cannot be read, such as an encrypted one. */
const countOf = ({ content }: Pick<KeptState, 'content'>): string | number =>
  (content.is === 'state' ? content.objects : null) ?? '?';

/** Records that the state was replaced. */
export async function noteReplaced(config: RunnerConfig, task: TemplateRef): Promise<void> {
  const origin = { ...(await readOrigin(config, task)), replaced: new Date().toISOString() };
  await writeFile(originFile(config, task), JSON.stringify(origin), { mode: 0o600 });
}

/** Records what the state is made from, and copies it before it changes. */
export async function noteApply(preparation: Preparation): Promise<void> {
  const { ctx, task, workspace } = preparation;
  const { config } = ctx;
  const own = workspaceOf(preparation);
  const state = await stateInUse(preparation);
  if (state?.content.is === 'state') {
    const copy = join(copiesOf(config, task), nameOfCopy(own, task.id));
    await copyOut(state.path, copy, workspace.user);
    await removeOldCopies(config, task, own);
  }
  await writeFile(originFile(config, task), JSON.stringify(originOf(task)), { mode: 0o600 });
}

async function stateInUse(preparation: Preparation): Promise<KeptState | undefined> {
  const own = workspaceOf(preparation);
  const states = await keptStates(preparation.ctx.config, preparation.task);
  return states.find(({ workspace }) => workspace === own);
}

/** A killed run may leave an empty state, which the program treats as no state. */
export async function refuseDamagedState(preparation: Preparation): Promise<void> {
  const { config } = preparation.ctx;
  const { task } = preparation;
  const state = await stateInUse(preparation);
  const is = state?.content.is;
  if (!state || is === 'state' || is === 'other') return;
  // Programs create an empty file before the first apply too.
  if (is === 'empty' && !(await isThere(originFile(config, task)))) return;
  const copies = await copiesIn(config, task, workspaceOf(preparation));
  const copy = copies.findLast(({ taskId }) => taskId !== null);
  const what = is === 'empty' ? 'is empty (0 bytes)' : 'cannot be read';
  const hint = copy
    ? 'There is a copy from before the last apply: open the page of the template, choose "Use this copy" ' +
      `under "Terraform state", and run the template again. On this machine the copy is ${copy.path}.`
    : `There is no copy of it. Import what exists, or remove the file if nothing does.`;
  throw new Error(
    `The state ${state.path} ${what}, as after a run that was killed. A plan would create ` +
      `everything a second time. ${hint}`,
  );
}

// The copies of the kept states of a template: one from before each apply, and one of each replaced state. They
// lie beside the folder of the states: that one belongs to the user of a run, who could create links there.

interface StateCopy {
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

const copiesIn = async (
  config: RunnerConfig,
  task: TemplateRef,
  workspace: string,
): Promise<StateCopy[]> =>
  (await listCopies(config, task)).filter((copy) => copy.workspace === workspace);

async function removeOldCopies(
  config: RunnerConfig,
  task: TemplateRef,
  workspace: string,
): Promise<void> {
  const copies = await copiesIn(config, task, workspace);
  for (const { path } of copies.slice(0, -MAX_COPIES)) await rm(path, { force: true });
}
