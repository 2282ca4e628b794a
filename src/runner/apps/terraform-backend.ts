// Where Terraform and OpenTofu keep the state of a run. `init` records the backend of the configuration in its
// data folder; without a record the program keeps the state in the checkout. Only then a second `init` sets a
// backend in the folder of the template, because the checkout is removed after the run.

import { join, resolve } from 'node:path';
import { ExecutionFailed } from '../execution/execution-failed.ts';
import { placeOf, readNotedBackend, readStates } from '../sandbox/sandbox.ts';
import type { StateContent } from '../sandbox/terraform-files.ts';
import type { Preparation } from '../prepare/prepare.ts';
import type { Command } from '../programs/process.ts';
import { makeFolder, writeInto } from '../workspace/run-files.ts';
import {
  fileOfState,
  keptStates,
  ownFolder,
  stateFolder,
  workspaceOf,
  type KeptState,
} from './terraform-states.ts';
import { stateOf } from '../../node/async/state-of.ts';
import type { RunnerConfig } from '../config/runner-config.ts';

/** `own`: the backend of the configuration. `kept`: that of the second `init`. `checkout`: neither. */
type StateOwner = 'own' | 'kept' | 'checkout';

interface StateLocation {
  where: StateOwner;
  type: string;
  /** The file of the state in a local backend; null: another backend. */
  path: string | null;
  /** Identifies the state: equal for all runs that use it. */
  state: string;
}

/** Finds where the program keeps the state, after an `init` with this command. */
async function findState(preparation: Preparation, { cwd, env }: Command): Promise<StateLocation> {
  const { ctx, task, workspace, signal } = preparation;
  const note = join(resolve(cwd, env['TF_DATA_DIR'] || '.terraform'), 'terraform.tfstate');
  const backend = await readNotedBackend(placeOf([workspace.checkout], note), {
    user: workspace.user,
    signal,
  });
  if (backend !== null && backend.type !== 'local') {
    const state = `${backend.type} ${backend.fingerprint} ${workspaceOf(preparation)}`;
    return { where: 'own', type: backend.type, path: null, state };
  }
  const path = resolve(cwd, backend?.path ?? 'terraform.tfstate');
  const folder = resolve(cwd, backend?.workspaceDir ?? 'terraform.tfstate.d');
  const kept = stateFolder(ctx.config, task);
  const name = workspaceOf(preparation);
  const at = name === 'default' ? path : join(folder, name, 'terraform.tfstate');
  const isIn = (root: string): boolean => at.startsWith(`${root}/`);
  const where = isIn(workspace.dir) ? 'checkout' : isIn(kept) ? 'kept' : 'own';
  return { where, type: 'local', path: at, state: at };
}

/** Configures a local backend in the folder of the template if the state would be in the checkout; true: done. */
export async function keepState(preparation: Preparation, command: Command): Promise<boolean> {
  const { workspace } = preparation;
  const found = await findState(preparation, command);
  if (found.where === 'own') await refuseKeptState(preparation, found.type);
  // Nothing outlives a pod, wherever the file would be.
  if (found.path !== null && preparation.ctx.config.podFolder !== null) {
    throw new ExecutionFailed('failure.pod_state');
  }
  if (found.where !== 'checkout') return false;
  await refuseStateOfCommit(preparation, found);
  const { user } = workspace;
  const kept = join(await ownFolder(preparation), 'state');
  await makeFolder(kept, user);
  const local = {
    path: join(kept, 'terraform.tfstate'),
    workspace_dir: join(kept, 'terraform.tfstate.d'),
  };
  const override = JSON.stringify({ terraform: { backend: { local } } });
  await writeInto(join(command.cwd, overrideFile), override, user);
  // OpenTofu empties the file of the state while it applies, so a concurrent plan would find it damaged.
  await claim(preparation, join(kept, fileOfState(workspaceOf(preparation))));
  return true;
}

const overrideFile = 'signalbox_override.tf.json';

/** Throws if the program would write the state into the checkout; true: the state is a kept one. */
export async function isStateKept(preparation: Preparation, command: Command): Promise<boolean> {
  return isKept(await findState(preparation, command));
}

function isKept({ where }: StateLocation): boolean {
  if (where === 'checkout') throw new Error(stateInCheckout);
  return where === 'kept';
}

/** The same, and locks the state. */
export async function claimState(preparation: Preparation, command: Command): Promise<boolean> {
  const found = await findState(preparation, command);
  const isOurs = isKept(found);
  await claim(preparation, found.state);
  return isOurs;
}

const claim = ({ ctx, task, signal, say }: Preparation, state: string): Promise<void> =>
  holdState(state, {
    config: ctx.config,
    taskId: task.id,
    signal,
    onWait: (id) => say(`Waiting for the end of task ${id}, which works on the same state.`),
  });

const stateInCheckout =
  'Another setting than the configuration puts the state into the checkout, which is removed after ' +
  'the run: an override file of the repository, or -backend-config in TF_CLI_ARGS_init. Take it away, ' +
  'or name a path outside of the checkout.';

/** A new backend would create all objects of the kept state a second time. */
async function refuseKeptState(preparation: Preparation, type: string): Promise<void> {
  const { config } = preparation.ctx;
  const held = (await keptStates(config, preparation.task)).filter(hasObjects);
  const [first] = held;
  if (!first) return;
  const names = held.map(({ path }) => path).join(', ');
  throw new Error(
    `The configuration has the backend "${type}" now, but earlier runs of this template have kept ` +
      `their state on this machine: ${names}. With the new backend, ${objectsOf(first)} would be ` +
      `created again. Move the state: check the configuration out, run init there and ` +
      `"terraform state push ${first.path}"; then move the file away, and run the template again.`,
  );
}

/** A state in the commit would be ignored, and its objects created again. */
async function refuseStateOfCommit(
  preparation: Preparation,
  { path }: StateLocation,
): Promise<void> {
  if (path === null) return;
  const { checkout, user } = preparation.workspace;
  const [content] = await readStates([placeOf([checkout], path)], user);
  if (!content || !hasObjects({ content })) return;
  const shown = path.slice(checkout.length + 1);
  const kept = join(stateFolder(preparation.ctx.config, preparation.task), 'terraform.tfstate');
  throw new Error(
    `The repository has the state ${shown} with ${objectsOf({ content })}. What a run changes in it is ` +
      `lost with the checkout. Copy it to ${kept} on this machine or push it into a backend, and ` +
      'remove it from the repository.',
  );
}

export const hasObjects = ({ content }: { content: StateContent }): boolean =>
  content.is === 'damaged' || (content.is === 'state' && content.objects !== 0);

const objectsOf = ({ content }: Pick<KeptState, 'content'>): string => {
  const objects = content.is === 'state' ? content.objects : null;
  if (objects === null) return 'its objects';
  return objects === 1 ? '1 object' : `${objects} objects`;
};

// Mutex of Terraform states: of two tasks of this runner with the same state, of one template or of two, the
// later one waits. Programs on other machines are excluded by the lock of the backend.

interface Locks {
  /** The task that holds a state. */
  held: Map<string, number>;
  waiting: Set<() => void>;
}

const locksOf = stateOf((_config: RunnerConfig): Locks => ({
  held: new Map(),
  waiting: new Set(),
}));

interface Holder {
  config: RunnerConfig;
  taskId: number;
  signal: AbortSignal;
  /** Called with the task that holds the state, before this one waits. */
  onWait: (taskId: number) => Promise<void>;
}

/** Locks the state, after waiting for its holder; `releaseStates` unlocks it. */
async function holdState(state: string, { config, taskId, signal, onWait }: Holder): Promise<void> {
  const { held, waiting } = locksOf(config);
  let reported: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const holder = held.get(state) ?? taskId;
    if (holder === taskId) break;
    if (holder !== reported) await onWait(holder);
    reported = holder;
    // The holder may have ended during `onWait`.
    if (held.get(state) !== holder) continue;
    await untilReleased(waiting, signal);
  }
  held.set(state, taskId);
}

async function untilReleased(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  const released = Promise.withResolvers<void>();
  waiting.add(released.resolve);
  signal.addEventListener('abort', () => released.resolve(), { once: true });
  await released.promise;
  waiting.delete(released.resolve);
}

/** Unlocks the states of a task that has ended or is parked. */
export function releaseStates(config: RunnerConfig, taskId: number): void {
  const { held, waiting } = locksOf(config);
  for (const [state, holder] of held) if (holder === taskId) held.delete(state);
  for (const wake of waiting) wake();
}
