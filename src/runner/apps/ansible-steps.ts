// The step of a task of Ansible: roles and collections are installed, inventory, passwords and
// variables written to files, and then one command runs.

import { dirname, join } from 'node:path';
import type { Answers } from '#shared/api/task-snapshot.ts';
import {
  givenVariables,
  inventoryFolder,
  taskDetails,
  taskEnvironment,
  withGitAccess,
  type Preparation,
} from '../prepare/prepare.ts';
import { insideOnly } from '../foreign/foreign.ts';
import { gitEnvironment, ownersFor } from '../git/git.ts';
import { runTool, type Command, type ToolResult } from '../programs/process.ts';
import { installRequirements } from '../prepare/requirements.ts';
import { installSshPrograms } from '../prepare/ssh-programs.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ansibleArguments, ansibleEnvironment, extraVariables } from './ansible.ts';
import { readAnsibleFiles } from './ansible-files.ts';
import type { Step } from './app.ts';
import { installCallback } from './callback.ts';
import type { OpenKey } from '../desk/secrets.ts';

export const ansibleSteps: Step[] = [{ command }];

async function command(preparation: Preparation): Promise<Command> {
  const { task, workspace, keys } = preparation;
  const { snapshot } = task;
  const { user, become } = keys;
  if (become.type === 'ssh') throw new Error('The sudo credentials must not be an ssh key.');
  const files = await readAnsibleFiles(preparation);
  const galaxy = await installRequirements({
    config: preparation.ctx.config,
    projectId: task.project_id,
    files: files.requirements,
    folder: files.folder,
    shownFolder: dirname(snapshot.playbook),
    roles: files.roles,
    collections: files.collections,
    home: workspace.home,
    user: workspace.user,
    version: task.commit_hash ?? workspace.mark,
    galaxy: (args) => callGalaxy(preparation, args),
    say: preparation.sayAll,
  });
  const paths = {
    inventory: await inventoryPath(preparation),
    variables: await workspace.writeSecret(
      'variables.yml',
      extraVariables(snapshot, taskDetails(preparation), ...literalValues(preparation)),
    ),
    connectionPassword: await passwordFile(workspace, 'connection', user),
    becomePassword: await passwordFile(workspace, 'become', become),
    vaultPasswords: await Promise.all(
      keys.vaults.map((key, index) => vaultFile(workspace, index, key)),
    ),
  };
  const logins = { user: loginOf(user), become: loginOf(become) };
  const last = {
    ...galaxy,
    ...(await installCallback(workspace, files.callbacks)),
    ...(await installSshPrograms(preparation)),
  };
  return {
    command: snapshot.program.path,
    args: [...snapshot.program.args, ...ansibleArguments(snapshot, paths, logins)],
    cwd: workspace.checkout,
    env: await taskEnvironment(preparation, workspace.checkout, ansibleEnvironment, last),
  };
}

/** Runs ansible-galaxy. Sources in git may need the key of the template's repository. */
function callGalaxy(preparation: Preparation, args: string[]): Promise<ToolResult> {
  const { task, workspace, keys, signal } = preparation;
  const { git_url: url } = task.snapshot.repository;
  const access = { name: 'requirements', url, key: keys.repository };
  return withGitAccess(preparation, access, (env) => {
    const { checkout: cwd, user } = workspace;
    const own = { ...gitEnvironment, ...ownersFor(user) };
    const all = { ...own, ...env, ...givenVariables(preparation) };
    const galaxy = { command: 'ansible-galaxy', args, cwd, env: all, user };
    return runTool(galaxy, signal);
  });
}

/** Values that Ansible must not evaluate as templates; later ones win. */
const literalValues = ({ task, keys }: Preparation): Answers[] => [
  keys.environment.variables,
  task.answers,
  keys.answers,
];

const loginOf = (key: OpenKey): string => (key.type === 'none' ? '' : key.login);

async function passwordFile(
  workspace: Workspace,
  name: string,
  key: OpenKey,
): Promise<string | null> {
  if (key.type !== 'login_password') return null;
  return workspace.writeSecret(`${name}-password`, key.password);
}

async function vaultFile(workspace: Workspace, index: number, key: OpenKey): Promise<string> {
  const path = await passwordFile(workspace, `vault-${index}`, key);
  if (path) return path;
  throw new Error('The key of a vault must be of the type login and password.');
}

async function inventoryPath({ task, workspace }: Preparation): Promise<string | null> {
  const { inventory, inventoryRepository } = task.snapshot;
  switch (inventory?.type) {
    case undefined:
      return null;
    case 'static':
      return workspace.writeSecret('inventory', inventory.inventory);
    case 'static-yaml':
      return workspace.writeSecret('inventory.yml', inventory.inventory);
    case 'file': {
      const folder = inventoryRepository ? inventoryFolder(workspace) : workspace.checkout;
      insideOnly(folder, inventory.inventory, 'inventory file');
      // Not where a link leads: Ansible reads the variables of groups beside the path that it is given.
      return join(folder, inventory.inventory);
    }
    case 'terraform-workspace':
      throw new Error('A workspace of Terraform is no inventory. Choose another one.');
  }
}
