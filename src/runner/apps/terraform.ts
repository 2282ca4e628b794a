// The steps of a task of Terraform or OpenTofu: init, workspace, plan, and apply of the saved plan.
// The exit code of plan tells whether it changes something.

import { join } from 'node:path';
import { isWorkspace } from '#shared/api/inventories.ts';
import type { RunnerTask } from '#shared/api/runner-desk.ts';
import { folderInside, lookAtTerraform } from '../foreign/foreign.ts';
import { accessOf, taskEnvironment, type Preparation } from '../prepare/prepare.ts';
import type { Command } from '../programs/process.ts';
import { isThere, makeFolder, writeInto } from '../workspace/run-files.ts';
import type { Step, Verdict } from './app.ts';
import { errorHeadline } from './terraform-errors.ts';
import { recordTerraform, versionOf } from './tools.ts';
import { ownFolder } from './terraform-states.ts';
import {
  takesVariablesAtApply,
  variableArguments,
  variableEnvironment,
  withVariables,
} from './terraform-variables.ts';

export const terraformSteps: Step[] = [
  { command: init, errorIn: errorHeadline },
  { command: selectWorkspace, errorIn: errorHeadline },
  {
    command: plan,
    errorIn: errorHeadline,
    verdict: verdictOfPlan,
    plan: {
      show: (preparation) => terraform(preparation, ['show', '-json', planPath(preparation)]),
      isChange: (exitCode) => exitCode === 2,
    },
    words: {
      ask: 'The plan changes something. It is applied when somebody confirms it.',
      'go on': 'Applying the plan.',
      success: 'Nothing is applied.',
    },
  },
  { command: apply, errorIn: errorHeadline },
];

/** With `-detailed-exitcode` plan ends with 0 for no change, with 2 for changes, and with 1 if it failed. */
function verdictOfPlan(exitCode: number, task: RunnerTask): Verdict {
  const { dryRun, autoApprove } = task.snapshot;
  if (exitCode === 0) return 'success';
  if (exitCode !== 2) return 'failure';
  if (dryRun) return 'success';
  return autoApprove || task.is_confirmed ? 'go on' : 'ask';
}

async function init(preparation: Preparation): Promise<Command> {
  await keepState(preparation);
  const variables = variableArguments(preparation.task.snapshot.arguments);
  return terraform(preparation, [
    'init',
    '-input=false',
    ...(await withVariables(preparation, variables)),
  ]);
}

async function selectWorkspace(preparation: Preparation): Promise<Command | null> {
  const { inventory } = preparation.task.snapshot;
  const name = inventory && isWorkspace(inventory.type) ? inventory.inventory : 'default';
  if (name === 'default') return null;
  return terraform(preparation, ['workspace', 'select', '-or-create=true', name]);
}

async function plan(preparation: Preparation): Promise<Command> {
  recordTerraform(preparation, await terraform(preparation, ['version', '-json']));
  return terraform(preparation, [
    'plan',
    '-input=false',
    '-detailed-exitcode',
    `-out=${planPath(preparation)}`,
    ...(await withVariables(preparation, preparation.task.snapshot.arguments)),
  ]);
}

async function apply(preparation: Preparation): Promise<Command> {
  const path = planPath(preparation);
  if (!(await isThere(path))) {
    throw new Error('The saved plan is gone, as after a reboot of the server. Launch it again.');
  }
  const { app, arguments: args } = preparation.task.snapshot;
  const version = await versionOf(preparation, await terraform(preparation, ['version', '-json']));
  const variables = takesVariablesAtApply(app, version)
    ? await withVariables(preparation, variableArguments(args))
    : [];
  return terraform(preparation, ['apply', '-input=false', ...variables, path]);
}

/** The saved plan contains the values of variables, so it lies in the private folder of the secrets. */
const planPath = ({ workspace }: Preparation): string => workspace.ownPath('plan.tfplan');

const folderOf = ({ task, workspace }: Preparation): string =>
  join(
    workspace.checkout,
    folderInside(workspace.checkout, task.snapshot.playbook || '.', 'folder'),
  );

async function terraform(preparation: Preparation, args: string[]): Promise<Command> {
  const { program, debug, allowParallel } = preparation.task.snapshot;
  const folder = folderOf(preparation);
  const plugins = join(await ownFolder(preparation), 'plugins');
  await makeFolder(plugins, preparation.workspace.user);
  const own = {
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
    CHECKPOINT_DISABLE: '1',
    // Terraform's plugin cache is not safe for two tasks at once.
    ...(!allowParallel && { TF_PLUGIN_CACHE_DIR: plugins }),
    ...(debug && { TF_LOG: 'DEBUG' }),
  };
  return {
    command: program.path,
    args: [...program.args, ...args],
    cwd: folder,
    env: await taskEnvironment(preparation, folder, {
      own,
      last: variableEnvironment(preparation),
    }),
  };
}

/**
 * Configures a local backend in the folder of the template, if the configuration names no backend.
 * Terraform would otherwise write the state into the checkout, which is removed after the run.
 */
async function keepState(preparation: Preparation): Promise<void> {
  const { task, workspace } = preparation;
  const place = { root: workspace.checkout, path: task.snapshot.playbook || '.' };
  const { hasBackend, refused } = await lookAtTerraform(place, accessOf(preparation));
  if (hasBackend) return;
  if (refused.length > 0) throw new Error(unknownBackend);
  const { user } = workspace;
  const kept = join(await ownFolder(preparation), 'state');
  await makeFolder(kept, user);
  const local = {
    path: join(kept, 'terraform.tfstate'),
    workspace_dir: join(kept, 'terraform.tfstate.d'),
  };
  const override = JSON.stringify({ terraform: { backend: { local } } });
  await writeInto(join(folderOf(preparation), 'signalbox_override.tf.json'), override, user);
}

// With the wrong backend Terraform would find no state and create everything a second time.
const unknownBackend =
  'Not every file of the configuration could be read, and the others do not say where the state ' +
  'is kept. Name the backend in a file of its own, or say backend "local" there.';
