// A task of Terraform or OpenTofu: init, workspace, plan, and then exactly the saved plan.
// Whether a plan changes something is told by its exit code.

import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClaimedTask } from '../../tasks/claim.ts';
import { insideOnly, taskEnvironment, type Preparation } from '../prepare.ts';
import type { Command } from '../process.ts';
import { makeFolder, writeInto } from '../run-files.ts';
import { giveFolder, isTaken } from '../run-users.ts';
import type { Step, Verdict } from './app.ts';
import { stateOf } from './terraform-states.ts';
import { valuesOf } from './variables.ts';

export const terraformSteps: Step[] = [
  { command: init },
  { command: selectWorkspace },
  {
    command: plan,
    verdict: verdictOfPlan,
    words: {
      ask: 'The plan changes something. It is applied when somebody confirms it.',
      'go on': 'Applying the plan.',
      success: 'Nothing is applied.',
    },
  },
  { command: apply },
];

/** With `-detailed-exitcode`: 0 nothing to change, 2 something to change, 1 failed. */
export function verdictOfPlan(exitCode: number, task: ClaimedTask): Verdict {
  const { dryRun, autoApprove } = task.snapshot;
  if (exitCode === 0) return 'success';
  if (exitCode !== 2) return 'failure';
  if (dryRun) return 'success';
  return autoApprove || task.isConfirmed ? 'go on' : 'ask';
}

async function init(preparation: Preparation): Promise<Command> {
  const folder = await folderOf(preparation);
  await keepState(preparation, folder);
  return terraform(preparation, ['init', '-input=false']);
}

async function selectWorkspace(preparation: Preparation): Promise<Command | null> {
  const { inventory } = preparation.task.snapshot;
  const name = inventory?.type === 'terraform-workspace' ? inventory.inventory : 'default';
  if (name === 'default') return null;
  return terraform(preparation, ['workspace', 'select', '-or-create=true', name]);
}

async function plan(preparation: Preparation): Promise<Command> {
  const { task, workspace, keys } = preparation;
  const { snapshot, answers } = task;
  const { variables } = keys.environment;
  const values = JSON.stringify(valuesOf(snapshot, variables, answers, keys.answers));
  const file = await workspace.writeSecret('variables.tfvars.json', values);
  return terraform(preparation, [
    'plan',
    '-input=false',
    '-detailed-exitcode',
    `-out=${planPath(preparation)}`,
    `-var-file=${file}`,
    ...snapshot.arguments,
  ]);
}

async function apply(preparation: Preparation): Promise<Command> {
  const path = planPath(preparation);
  if (!(await stat(path).catch(() => null))) {
    throw new Error('The saved plan is gone, as after a reboot of the server. Launch it again.');
  }
  return terraform(preparation, ['apply', '-input=false', path]);
}

/** A plan holds the values of variables, so it lies where the secrets lie. */
const planPath = ({ workspace }: Preparation): string => workspace.ownPath('plan.tfplan');

const folderOf = ({ task, workspace }: Preparation): Promise<string> =>
  insideOnly(workspace.checkout, task.snapshot.playbook || '.', 'folder');

async function terraform(preparation: Preparation, args: string[]): Promise<Command> {
  const { program, debug, allowParallel } = preparation.task.snapshot;
  const folder = await folderOf(preparation);
  const plugins = join(await ownFolder(preparation), 'plugins');
  await makeFolder(plugins, preparation.workspace.user);
  const own = {
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
    CHECKPOINT_DISABLE: '1',
    // Not safe for two at once.
    ...(!allowParallel && { TF_PLUGIN_CACHE_DIR: plugins }),
    ...(debug && { TF_LOG: 'DEBUG' }),
  };
  return {
    command: program.path,
    args: [...program.args, ...args],
    cwd: folder,
    env: await taskEnvironment(preparation, folder, own),
  };
}

// Whatever stands for `backend "s3" {`, `cloud {`, and the same in JSON.
const ownBackend = /\bbackend\s*"|\bcloud\s*\{|"(?:backend|cloud)"\s*:/;
const sources = /\.(?:tf|tofu)(?:\.json)?$/;

/** What the runs of a template leave for each other, given to whom the programs run as. */
async function ownFolder(preparation: Preparation): Promise<string> {
  const folder = stateOf(preparation.ctx.config, preparation.task);
  const { user } = preparation.workspace;
  await mkdir(folder, { recursive: true, mode: user ? 0o711 : 0o700 });
  if (!user) return folder;
  const { uid } = await stat(folder);
  if (uid === user.uid) return folder;
  // Taken away from a task that runs, its state could not be written at the end.
  if (isTaken(preparation.ctx.config, uid))
    throw new Error('Another task of this template works on the state now.');
  await giveFolder(folder, user);
  await chmod(folder, 0o700);
  return folder;
}

/**
 * A configuration that names no place for its state keeps it in its own folder, which goes with
 * the run. Such a one is told a folder of the template, so that nothing is forgotten.
 */
async function keepState(preparation: Preparation, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => sources.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  if (texts.some((text) => ownBackend.test(text))) return;
  const { user } = preparation.workspace;
  const kept = join(await ownFolder(preparation), 'state');
  await makeFolder(kept, user);
  const local = {
    path: join(kept, 'terraform.tfstate'),
    workspace_dir: join(kept, 'terraform.tfstate.d'),
  };
  const override = JSON.stringify({ terraform: { backend: { local } } });
  await writeInto(join(folder, 'signalbox_override.tf.json'), override, user);
}
