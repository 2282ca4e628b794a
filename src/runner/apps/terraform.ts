// The steps of a task of Terraform or OpenTofu: init, workspace, plan, and apply of the saved plan.

import { join } from 'node:path';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { folderInside } from '../sandbox/sandbox.ts';
import { accessByHost } from '../prepare/git-access.ts';
import { withdrawKeys } from '../prepare/keys-by-host.ts';
import { taskEnvironment, type Preparation } from '../prepare/prepare.ts';
import type { Command } from '../programs/process.ts';
import { isThere, makeFolder } from '../workspace/run-files.ts';
import type { Step, Verdict } from './app.ts';
import { claimState, isStateKept, keepState } from './terraform-backend.ts';
import { errorHeadline } from './terraform-errors.ts';
import { noteApply, refuseDamagedState, whyAsk } from './terraform-origin.ts';
import { chosenWorkspace, ownFolder } from './terraform-states.ts';
import { applyStep } from '#shared/terraform/apply-step.ts';
import { refusedInVariables } from '#shared/terraform/options.ts';
import {
  takesVariablesAtApply,
  variableArguments,
  variableEnvironment,
  withVariables,
} from './terraform-variables.ts';
import { recordTerraform, versionOf } from './tools.ts';

export const terraformSteps: Step[] = [
  { number: 1, command: firstInit, errorIn: errorHeadline },
  { number: 5, command: initKept, errorIn: errorHeadline },
  { number: 2, command: selectWorkspace, errorIn: errorHeadline },
  {
    number: 3,
    command: plan,
    errorIn: errorHeadline,
    verdict: verdictOfPlan,
    whyAsk: async (preparation) =>
      (await isStateKept(preparation, await terraform(preparation, ['plan'])))
        ? whyAsk(preparation)
        : null,
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
  { number: applyStep, command: apply, errorIn: errorHeadline },
];

/** With `-detailed-exitcode`, plan exits with 0 for no changes, 2 for changes, and 1 for an error. */
function verdictOfPlan(exitCode: number, task: RunnerTask): Verdict {
  const { dryRun, autoApprove } = task.snapshot;
  if (exitCode === 0) return 'success';
  if (exitCode !== 2) return 'failure';
  if (dryRun) return 'success';
  return autoApprove || task.is_confirmed ? 'go on' : 'ask';
}

/** Installs modules. Only this step has the keys by host for modules from git. */
async function firstInit(preparation: Preparation): Promise<Command> {
  const { env, ...command } = await init(preparation);
  return {
    ...command,
    env: { ...(await accessByHost(preparation, preparation.keys.byHost)), ...env },
  };
}

async function init(preparation: Preparation, ...further: string[]): Promise<Command> {
  const variables = variableArguments(preparation.task.snapshot.arguments);
  return terraform(preparation, [
    'init',
    '-input=false',
    ...further,
    ...(await withVariables(preparation, variables)),
  ]);
}

/** Only if the configuration has no backend. Modules and providers are installed already. */
async function initKept(preparation: Preparation): Promise<Command | null> {
  await withdrawKeys(preparation.workspace);
  const again = await init(preparation, '-reconfigure', '-get=false');
  if (!(await keepState(preparation, again))) return null;
  await refuseDamagedState(preparation);
  return again;
}

async function selectWorkspace(preparation: Preparation): Promise<Command | null> {
  const name = chosenWorkspace(preparation.task) ?? 'default';
  if (name === 'default') return null;
  return terraform(preparation, ['workspace', 'select', '-or-create=true', name]);
}

async function plan(preparation: Preparation): Promise<Command> {
  recordTerraform(preparation, await terraform(preparation, ['version', '-json']));
  const command = await terraform(preparation, [
    'plan',
    '-input=false',
    '-detailed-exitcode',
    `-out=${planPath(preparation)}`,
    ...(await withVariables(preparation, preparation.task.snapshot.arguments)),
  ]);
  // Throws if the state would be lost with the checkout.
  await claimState(preparation, command);
  return command;
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
  const command = await terraform(preparation, ['apply', '-input=false', ...variables, path]);
  if (await claimState(preparation, command)) await noteApply(preparation);
  return command;
}

/** How long programs wait for the lock of a state. The last such option wins, so the user's has priority. */
const lockTimeout = '-lock-timeout=5m';

const waitingForLock = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    ['TF_CLI_ARGS_plan', 'TF_CLI_ARGS_apply'].map((name) => [
      name,
      [lockTimeout, env[name] ?? ''].join(' ').trim(),
    ]),
  );

const refusedWords = ({ variable, option }: { variable: string; option: string }): string =>
  `The environment variable ${variable} has the option ${option}, with which the program would do ` +
  'nothing and end with success, or keep its state elsewhere. Take it away; a state is put elsewhere ' +
  'by a backend.';

/** The saved plan contains the values of variables, so it lies in the folder of the secrets. */
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
    // Entries have version and platform and are verified by the lock file, but writes are not concurrency-safe.
    ...(!allowParallel && { TF_PLUGIN_CACHE_DIR: plugins }),
    ...(debug && { TF_LOG: 'DEBUG' }),
  };
  const env = await taskEnvironment(preparation, folder, {
    own,
    last: variableEnvironment(preparation),
  });
  const refused = refusedInVariables(env);
  if (refused !== null) throw new Error(refusedWords(refused));
  return {
    command: program.path,
    args: [...program.args, ...args],
    cwd: folder,
    env: { ...env, ...waitingForLock(env) },
  };
}
