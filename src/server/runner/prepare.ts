// Everything a run needs before its program starts: keys, files of the repository, inventory,
// variables. All of it lies in the workspace and goes with it.

import { mkdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Context } from '../context.ts';
import { openKey, type OpenKey } from '../keys/keys.ts';
import { recordCommit, type ClaimedTask } from '../tasks/claim.ts';
import {
  ansibleArguments,
  ansibleEnvironment,
  detailVariables,
  extraVariables,
  processVariables,
  type TaskDetails,
} from './apps/ansible.ts';
import { installCallback } from './apps/callback.ts';
import { checkOut, type Commit, type Source } from './checkout.ts';
import { gitCredentials, makeProgram, sshConfig, startAgent } from './credentials.ts';
import type { Command } from './process.ts';
import { markName } from './process-tree.ts';
import { installRequirements } from './requirements.ts';
import type { Workspace } from './workspace.ts';

export interface Preparation {
  ctx: Context;
  task: ClaimedTask;
  workspace: Workspace;
  keys: RunKeys;
  signal: AbortSignal;
  say: (line: string) => Promise<void>;
  sayAll: (lines: string[]) => Promise<void>;
}

export interface RunKeys {
  repository: OpenKey;
  inventoryRepository: OpenKey;
  user: OpenKey;
  become: OpenKey;
  vaults: OpenKey[];
}

const noKey: OpenKey = { type: 'none' };

/** Opens every key of a run before anything starts, so that all of them can be masked. */
export async function openKeys(ctx: Context, task: ClaimedTask): Promise<RunKeys> {
  const { repository, inventoryRepository, inventory, vaults } = task.snapshot;
  const open = (id: number | null | undefined): Promise<OpenKey> =>
    id == null ? Promise.resolve(noKey) : openKey(ctx, task.project_id, id);
  return {
    repository: await open(repository.ssh_key_id),
    inventoryRepository: await open(inventoryRepository?.ssh_key_id),
    user: await open(inventory?.ssh_key_id),
    become: await open(inventory?.become_key_id),
    vaults: await Promise.all(vaults.map(({ keyId }) => open(keyId))),
  };
}

/** Nothing of the server's own environment but its PATH. */
export function baseEnvironment({
  ctx,
  workspace,
}: Pick<Preparation, 'ctx' | 'workspace'>): Record<string, string> {
  return { PATH: ctx.config.path, HOME: workspace.home, LANG: 'C.UTF-8' };
}

/** Gets the files of the template's repository; answers their commit, if it has commits. */
export async function fetchFiles(preparation: Preparation): Promise<Commit | null> {
  const { ctx, task, workspace, keys, say } = preparation;
  const { repository, branch, commit, inventoryRepository } = task.snapshot;
  const source = { repositoryId: repository.id, url: repository.git_url, branch, commit };
  await say(`Repository: ${repository.git_url}${branch ? `, branch ${branch}` : ''}`);
  const at = await fetchSource(preparation, source, workspace.checkout, keys.repository);
  if (at) {
    await recordCommit(ctx, task, at);
    await say(`Commit: ${at.hash.slice(0, 10)} ${at.message}`);
  }
  if (!inventoryRepository) return at;
  const elsewhere: Source = {
    repositoryId: inventoryRepository.id,
    url: inventoryRepository.git_url,
    branch: inventoryRepository.git_branch,
    commit: null,
  };
  await say(`Repository of the inventory: ${inventoryRepository.git_url}`);
  await fetchSource(preparation, elsewhere, inventoryFolder(workspace), keys.inventoryRepository);
  return at;
}

const inventoryFolder = (workspace: Workspace): string => join(workspace.dir, 'inventory');

async function fetchSource(preparation: Preparation, source: Source, target: string, key: OpenKey) {
  const { ctx, workspace, signal } = preparation;
  const name = `repository-${source.repositoryId}`;
  const base = baseEnvironment(preparation);
  const login = key.type === 'ssh' ? key.login : '';
  const config = await writeSshConfig(preparation, name, login);
  // A program and not a command line: git would give that to a shell.
  const ssh = `#!/bin/sh\nexec ssh -F '${config}' "$@"\n`;
  const credentials = await gitCredentials(workspace, name, key, base);
  try {
    const env = {
      ...base,
      ...credentials.env,
      GIT_SSH: await makeProgram(workspace, `${name}.ssh`, ssh),
    };
    return await checkOut(source, target, { config: ctx.config, env, signal });
  } finally {
    credentials.stop();
  }
}

async function writeSshConfig(
  { ctx, task, workspace }: Preparation,
  name: string,
  login: string,
): Promise<string> {
  const folder = join(ctx.config.dataDir, 'known-hosts');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pinned = ctx.config.pinSshHostKeys ? join(folder, String(task.project_id)) : null;
  return workspace.writeSecret(`${name}.config`, sshConfig(pinned, login));
}

/** The command of an Ansible task, with all its files written. */
export async function ansibleCommand(
  preparation: Preparation,
  given: { version: string | null; commit: Commit | null },
): Promise<Command> {
  const { ctx, task, workspace, keys } = preparation;
  const { snapshot } = task;
  const base = baseEnvironment(preparation);
  const { user, become } = keys;
  if (become.type === 'ssh') throw new Error('The sudo credentials must not be an ssh key.');
  await insideOnly(workspace.checkout, snapshot.playbook, 'playbook');
  const galaxy = await installRequirements({
    config: ctx.config,
    checkout: workspace.checkout,
    playbook: snapshot.playbook,
    home: workspace.home,
    version: given.commit?.hash ?? workspace.mark,
    env: { ...base, ...processVariables(snapshot) },
    signal: preparation.signal,
    say: preparation.sayAll,
  });
  const details = taskDetails(ctx, task, given.version);
  const paths = {
    inventory: await inventoryPath(preparation),
    variables: await workspace.writeSecret(
      'variables.yml',
      extraVariables(snapshot, details, task.answers, task.secretAnswers),
    ),
    connectionPassword: await passwordFile(workspace, 'connection', user),
    becomePassword: await passwordFile(workspace, 'become', become),
    vaultPasswords: await Promise.all(
      keys.vaults.map((key, index) => vaultFile(workspace, index, key)),
    ),
  };
  const logins = { user: loginOf(user), become: loginOf(become) };
  const config = await writeSshConfig(preparation, 'hosts', '');
  return {
    command: 'ansible-playbook',
    args: ansibleArguments(snapshot, paths, logins),
    cwd: workspace.checkout,
    env: {
      ...base,
      PWD: workspace.checkout,
      ...ansibleEnvironment(config),
      ...galaxy,
      ...detailVariables(details),
      ...processVariables(snapshot),
      ...(await installCallback(workspace, processVariables(snapshot))),
      ...(await agentFor(preparation, user, base)),
    },
  };
}

function taskDetails(
  { config }: Context,
  { id, project_id: projectId, snapshot }: ClaimedTask,
  version: string | null,
): TaskDetails {
  const { type, message, username, incomingVersion } = snapshot;
  return {
    id,
    username,
    url: config.publicUrl && `${config.publicUrl}/project/${projectId}/history?t=${id}`,
    ...(message && { message }),
    ...(type && { type }),
    ...(incomingVersion !== null && { incoming_version: incomingVersion }),
    ...(version !== null && { target_version: version }),
  };
}

const loginOf = (key: OpenKey): string => (key.type === 'none' ? '' : key.login);

async function agentFor(
  { workspace }: Preparation,
  key: OpenKey,
  env: Record<string, string>,
): Promise<Record<string, string>> {
  if (key.type !== 'ssh') return {};
  // It carries the mark of the run and is ended with it.
  const marked = { ...env, [markName]: workspace.mark };
  const agent = await startAgent(workspace, 'hosts', key, marked);
  return { SSH_AUTH_SOCK: agent.socket };
}

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
      return insideOnly(folder, inventory.inventory, 'inventory file');
    }
  }
}

/** The real path of a file of the repository; a link must not lead out of it. */
async function insideOnly(folder: string, path: string, what: string): Promise<string> {
  const root = await realpath(folder);
  const real = await realpath(join(root, path)).catch(() => null);
  if (real === null) throw new Error(`The ${what} "${path}" is not in the repository.`);
  if (real === root || real.startsWith(root + sep)) return real;
  throw new Error(`The ${what} "${path}" lies outside the repository.`);
}
