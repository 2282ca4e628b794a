// The step of a task of Ansible: roles and collections are installed, inventory, passwords and
// variables written to files, and then one command runs.

import { join } from 'node:path';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { fetchEnvironment, programEnvironment } from '../prepare/environment.ts';
import { withGitAccess } from '../prepare/git-access.ts';
import {
  givenVariables,
  inventoryFolder,
  taskDetails,
  taskEnvironment,
  type Preparation,
} from '../prepare/prepare.ts';
import { trimEndOf } from '#shared/trim-end.ts';
import { insideOnly } from '../sandbox/sandbox.ts';
import { isScript } from '../sandbox/inside.ts';
import { gitEnvironment } from '../git/git.ts';
import type { Command, ToolResult } from '../programs/process.ts';
import { keptHome } from '../prepare/persistent-home.ts';
import { installRequirements } from '../prepare/requirements.ts';
import { startFile, workingFolder } from '../prepare/working-folder.ts';
import { installSshPrograms } from '../prepare/ssh-programs.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  ansibleArguments,
  ansibleEnvironment,
  answerVariables,
  asksForPassword,
  extraVariables,
} from './ansible.ts';
import { ansibleHeadline } from './ansible-errors.ts';
import { readAnsibleFiles, type AnsibleFiles } from './ansible-files.ts';
import type { Step } from './app.ts';
import { recordAnsible } from './tools.ts';
import { factVariables } from './fact-cache.ts';
import { installCallback } from './callback.ts';
import { folderInventoryVariables } from './folder-inventory.ts';
import { stateOfProgram } from '../../node/process/installed-programs.ts';
import { allSettledOrThrow } from '../../node/async/all-settled-or-throw.ts';
import type { OpenKey } from '../api/run-secrets.ts';

export const ansibleSteps: Step[] = [{ command, errorIn: ansibleHeadline }];

const askedWords =
  'The arguments ask for a password, and nobody can type it, so it is empty: choose User credentials or Sudo credentials in the inventory, or a vault in the template.';

async function command(preparation: Preparation): Promise<Command> {
  const { task, workspace, keys } = preparation;
  const { snapshot } = task;
  const { user, become } = keys;
  if (become.type === 'ssh') throw new Error('The sudo credentials must not be an ssh key.');
  if (asksForPassword(snapshot.arguments)) await preparation.say(askedWords);
  const start = workingFolder(preparation);
  const playbook = startFile(preparation, 'playbook');
  const files = await readAnsibleFiles(preparation, playbook.path);
  const usual = (await keptHome(preparation)) === null ? nothingElse : inKeptHome;
  const { variables: galaxy, folders } = await installRequirements({
    config: preparation.ctx.config,
    projectId: task.project_id,
    root: workspace.checkout,
    playbook: playbook.path,
    files: files.requirements,
    roles: files.roles ?? usual.roles,
    collections: files.collections ?? usual.collections,
    home: workspace.home,
    user: workspace.user,
    version: `${task.commit_hash ?? workspace.mark}\0${start.path}`,
    when: snapshot.installRequirements ?? 'when_changed',
    ownFolder: workspace.dir,
    settings: `${files.galaxy} ${await galaxyProgram(preparation)}`,
    cwd: start.folder,
    galaxy: (args, env, into) => callGalaxy(preparation, args, { env, into }),
    say: preparation.sayAll,
  });
  for (const { path } of folders) preparation.execution.share(path, 'read');
  recordAnsible(preparation, folders);
  const vaultPasswords = await vaultFiles(preparation);
  const [inventory, limit, given, connectionPassword, becomePassword, ...last] =
    await allSettledOrThrow([
      inventoryPath(preparation),
      limitFor(workspace, snapshot.limit),
      variableFiles(preparation),
      passwordFile(workspace, 'connection', user),
      passwordFile(workspace, 'become', become),
      factVariables(preparation, files.facts),
      installCallback(workspace, snapshot, files.callbacks ?? usual.callbacks),
      installSshPrograms(preparation),
    ]);
  const folderInventory = await folderInventoryVariables(preparation, inventory, files);
  const paths = { inventory, ...given, connectionPassword, becomePassword, vaultPasswords };
  const logins = { user: loginOf(user), become: loginOf(become) };
  const called = { ...snapshot, playbook: playbook.argument, limit };
  return {
    command: snapshot.program.path,
    args: [...snapshot.program.args, ...ansibleArguments(called, paths, logins)],
    cwd: start.folder,
    env: await taskEnvironment(preparation, start.folder, {
      own: {
        ...ansibleEnvironment(files.isPlain, snapshot),
        ...(await inventoryVariables(preparation, inventory, files)),
      },
      last: Object.assign({}, galaxy, folderInventory, ...last),
      decided: files.ownPlaces,
    }),
  };
}

/** `inventory` is the path of the task's inventory; null: it has none. */
async function inventoryVariables(
  preparation: Preparation,
  inventory: string | null,
  files: AnsibleFiles,
): Promise<Record<string, string>> {
  if (inventory === null) return ownInventory(preparation, files.inventory);
  // Ansible would read the text of a script that fails as a list of hosts.
  return isScript(inventory) ? { ANSIBLE_INVENTORY_ENABLED: 'script' } : {};
}

const nothingElse = { roles: null, collections: null, callbacks: null };

/** Ansible's default search paths: with a kept home, `~` is not the home folder of the run. */
const inKeptHome = {
  roles: '~/.ansible/roles:/usr/share/ansible/roles:/etc/ansible/roles',
  collections: '~/.ansible/collections:/usr/share/ansible/collections',
  callbacks: '~/.ansible/plugins/callback:/usr/share/ansible/plugins/callback',
};

/** The file of ansible-galaxy with its modification time, or the image that has it. */
async function galaxyProgram(preparation: Preparation): Promise<string | null> {
  const { identity, isContainer, path } = preparation.execution;
  if (isContainer) return identity;
  return stateOfProgram('ansible-galaxy', givenVariables(preparation)['PATH'] ?? path);
}

/** Sources of requirements in git may need the key of the template's repository. */
function callGalaxy(
  preparation: Preparation,
  args: string[],
  { env: last, into }: { env: Record<string, string>; into: string },
): Promise<ToolResult> {
  const { task, workspace, keys, signal, execution } = preparation;
  const { git_url: url } = task.snapshot.repository;
  const given = { own: keys.repository, byHost: keys.byHost ?? [] };
  const access = { name: 'requirements', url, keys: given };
  execution.share(into, 'write');
  return withGitAccess(preparation, access, (env) => {
    const { user } = workspace;
    const cwd = workingFolder(preparation).folder;
    const all = {
      ...fetchEnvironment(preparation),
      ...gitEnvironment,
      ...env,
      PATH: execution.path,
      ...givenVariables(preparation),
      ...last,
    };
    const galaxy = { command: 'ansible-galaxy', args, cwd, env: all, user };
    return execution.run(galaxy, signal);
  });
}

async function variableFiles(
  preparation: Preparation,
): Promise<{ variables: string; answers: string | null }> {
  const { task, workspace, keys } = preparation;
  const { variables: secrets } = keys.environment;
  const extra = extraVariables(task.snapshot, taskDetails(preparation), secrets);
  const answers = answerVariables(task.answers, keys.answers);
  return {
    variables: await workspace.writeSecret('variables.yml', extra),
    answers: answers === null ? null : await workspace.writeSecret('answers.yml', answers),
  };
}

// A longer limit would exceed the size of the shown command, and the kernel's limit of an argument.
const MAX_LIMIT_BYTES = 4096;

/** A long limit is written to a file, of which Ansible reads each line. */
async function limitFor(workspace: Workspace, limit: string): Promise<string> {
  if (Buffer.byteLength(limit) <= MAX_LIMIT_BYTES || !limit.includes(',')) return limit;
  const parts = limit.split(',').map((part) => part.trim());
  // Ansible does not read files that a limit file names.
  const isFile = (part: string): boolean => part.startsWith('@');
  const [files, patterns] = [parts.filter(isFile), parts.filter((part) => !isFile(part))];
  const path = await workspace.writeSecret('limit', `${patterns.join('\n')}\n`);
  // With a comma at its end, Ansible splits the list at commas only.
  return `@${[path, ...files].join(',')},`;
}

const loginOf = (key: OpenKey): string => (key.type === 'none' ? '' : key.login);

async function passwordFile(
  workspace: Workspace,
  name: string,
  key: OpenKey,
): Promise<string | null> {
  if (key.type !== 'login_password') return null;
  return workspace.writeSecret(`${name}-password`, key.password);
}

function vaultFiles(preparation: Preparation): Promise<string[]> {
  const { task, workspace, keys } = preparation;
  const fileOf = async ({ script, name }: Vault, index: number): Promise<string> => {
    const file = `vault-${index}`;
    if (script) {
      const password = await printedPassword(preparation, script, name);
      return workspace.writeSecret(`${file}-password`, password);
    }
    const path = await passwordFile(workspace, file, keys.vaults[index] ?? { type: 'none' });
    if (path) return path;
    throw new Error('The key of a vault must be of the type login and password.');
  };
  return Promise.all(task.snapshot.vaults.map(fileOf));
}

type Vault = TaskSnapshot['vaults'][number];

const MAX_PASSWORD_BYTES = 64 * 1024;

/** Runs a script of the repository that prints the password of a vault. The log masks the password. */
async function printedPassword(
  preparation: Preparation,
  script: string,
  name: string,
): Promise<string> {
  const { workspace, signal, hide, execution } = preparation;
  const { checkout, user } = workspace;
  const { folder: cwd, within } = workingFolder(preparation);
  const program = insideOnly(checkout, within(script), 'vault script');
  // Ansible passes the vault's id to scripts with such names.
  const args = /-client(?:\.[^./]*)?$/.test(script) ? ['--vault-id', name] : [];
  const env = { ...programEnvironment(preparation), ...givenVariables(preparation) };
  const tool = { command: program, args, cwd, env, user, outputLimit: MAX_PASSWORD_BYTES };
  const end = await execution.run(tool, signal);
  signal.throwIfAborted();
  const password = trimEndOf(end.stdout.replace(/^[\r\n]+/, ''), '\r\n');
  if (password !== '') await hide([password]);
  if (end.exitCode !== 0) throw new Error(failureWords(script, end));
  if (password !== '') return password;
  throw new Error(`The vault script "${script}" has printed no password.`);
}

function failureWords(script: string, { exitCode, stderr }: ToolResult): string {
  const why =
    exitCode === null ? 'could not be run. Is it executable?' : `has ended with ${exitCode}.`;
  return [`The vault script "${script}" ${why}`, stderr.slice(0, 2000).trimEnd()]
    .join('\n')
    .trimEnd();
}

// Options without a value may stand before `-i`. The option overrides the variable, so a false negative only
// adds a wrong line to the log.
const namesInventory = /^(?:--inv|-[hvCDKkbJ]*i)/;

/**
 * The variables of a run without an inventory of its task: it uses the one of its configuration. Without
 * that, an empty one keeps Ansible from the hosts of /etc/ansible/hosts.
 */
async function ownInventory(
  { task, workspace, say }: Preparation,
  named: string | null,
): Promise<Record<string, string>> {
  if (task.snapshot.arguments.some((argument) => namesInventory.test(argument))) return {};
  if (named !== null) {
    await say(`Inventory: ${named}, named by the configuration of Ansible`);
    return {};
  }
  await say('Inventory: none, since neither the template nor the repository names one');
  return { ANSIBLE_INVENTORY: await workspace.writeSecret('inventory', '') };
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
      // Links are not resolved: Ansible reads group_vars beside the path that it receives.
      return join(folder, inventory.inventory);
    }
    case 'terraform-workspace':
    case 'tofu-workspace':
      throw new Error('A workspace of Terraform is no inventory. Choose another one.');
  }
}
