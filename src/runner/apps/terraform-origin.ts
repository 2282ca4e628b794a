// What a kept state was made from, and a copy of it before each apply. The first plan after a change of
// that waits for a person: with another repository or folder it would destroy what the state holds, and
// in another workspace or on another runner it would create everything a second time.

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerTask } from '#shared/api/runner-desk.ts';
import type { Preparation } from '../prepare/prepare.ts';
import type { RunnerConfig } from '../system/config.ts';
import { copyOut, isThere } from '../workspace/run-files.ts';
import { hasObjects, objectsOf } from './terraform-backend.ts';
import { keptStates, stateOf, workspaceOf, type KeptState } from './terraform-states.ts';

interface Origin {
  repository: string;
  folder: string;
}

// Both lie beside the folder of the state, which belongs to the user of a run, who may put links there.
const originFile = (config: RunnerConfig, task: RunnerTask): string =>
  `${stateOf(config, task)}.origin.json`;
const copiesOf = (config: RunnerConfig, task: RunnerTask): string =>
  `${stateOf(config, task)}.backups`;

const originOf = ({ snapshot }: RunnerTask): Origin => ({
  repository: snapshot.repository.git_url,
  folder: snapshot.playbook || '.',
});

/** What the state was made from; null: nothing was applied, or by a version that did not note it. */
async function readOrigin(config: RunnerConfig, task: RunnerTask): Promise<Origin | null> {
  const text = await readFile(originFile(config, task), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Origin);
}

/** Why the plan has to be confirmed; null: the state is the one of this configuration. */
export async function whyAsk({ ctx, task }: Preparation): Promise<string | null> {
  const kept = await keptStates(ctx.config, task);
  const held = kept.filter(hasObjects);
  const own = workspaceOf(task);
  const state = held.find(({ workspace }) => workspace === own);
  if (state) return changeOf(await readOrigin(ctx.config, task), originOf(task), state);
  const [other] = held;
  if (other) {
    return (
      `The state of the workspace ${own} is empty, while that of ${other.workspace} has ` +
      `${objectsOf(other)}. Was the workspace renamed, or the inventory taken away?`
    );
  }
  const { applied_on: before, runner_name: here } = task;
  // Not absent after everything was destroyed: then the state is there and holds no object.
  if (before === undefined || kept.some(({ workspace }) => workspace === own)) return null;
  const words =
    before === here
      ? 'The state that earlier runs of this template have kept is not on this server any more.'
      : `There is no state of this template on ${here}: the last run that applied a plan was on ${before}.`;
  return `${words} What is planned here would create everything a second time.`;
}

function changeOf(before: Origin | null, now: Origin, state: KeptState): string | null {
  if (before === null) return null;
  const changed = (Object.keys(now) as (keyof Origin)[]).filter(
    (name) => before[name] !== now[name],
  );
  if (changed.length === 0) return null;
  const words = changed.map((name) => `its ${name} was ${before[name]} and is ${now[name]}`);
  return (
    `The state of this template has ${objectsOf(state)}, which were made from another ` +
    `configuration: ${words.join('; ')}.`
  );
}

const mostCopies = 5;

/** Notes what the state is made from, and copies it before it changes. */
export async function noteApply({ ctx, task, workspace: { user } }: Preparation): Promise<void> {
  const { config } = ctx;
  const own = workspaceOf(task);
  const state = (await keptStates(config, task)).find(({ workspace }) => workspace === own);
  if (state?.content.is === 'state') {
    const name = `${Date.now()}-task-${task.id}.${own}.tfstate`;
    await copyOut(state.path, join(copiesOf(config, task), name), user);
    const copies = await listCopies(config, task);
    for (const path of copies.slice(0, -mostCopies)) await rm(path, { force: true });
  }
  await writeFile(originFile(config, task), JSON.stringify(originOf(task)), { mode: 0o600 });
}

/** The copies of the state of the task's workspace, the newest last. */
async function listCopies(config: RunnerConfig, task: RunnerTask): Promise<string[]> {
  const folder = copiesOf(config, task);
  const end = `.${workspaceOf(task)}.tfstate`;
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(end));
  return names.sort().map((name) => join(folder, name));
}

/** A run that was killed may have left a state without bytes, which the program takes for none. */
export async function refuseDamagedState({ ctx, task }: Preparation): Promise<void> {
  const { config } = ctx;
  const own = workspaceOf(task);
  const state = (await keptStates(config, task)).find(({ workspace }) => workspace === own);
  const is = state?.content.is;
  if (!state || is === 'state' || is === 'other') return;
  // Programs make the file before the first apply too.
  if (is === 'empty' && !(await isThere(originFile(config, task)))) return;
  const copy = (await listCopies(config, task)).at(-1);
  const what = is === 'empty' ? 'is empty (0 bytes)' : 'cannot be read';
  const told = copy
    ? `The copy from before the last apply is ${copy}: run "cp ${copy} ${state.path}" on this machine, then run the template again.`
    : `There is no copy of it. Import what exists, or remove the file if nothing does.`;
  throw new Error(
    `The state ${state.path} ${what}, as after a run that was killed. A plan would create ` +
      `everything a second time. ${told}`,
  );
}
