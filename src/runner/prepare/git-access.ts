// Gives git the keys of a repository and of hosts that it refers to. For the repository's own address its key comes
// first, then the keys by host, then its key again for all other addresses.

import { mkdir } from 'node:fs/promises';
import { repositoryType } from '#shared/git/repository-url.ts';
import type { GitKeys, KeyByHost } from '../api/run-secrets.ts';
import { gitEnvironment } from '../git/git.ts';
import { knownHostsOf, knownHostsPath } from '../../node/data-folder/known-hosts.ts';
import {
  gitCredentials,
  makeProgram,
  sshConfig,
  type Environment,
  type SshOptions,
} from '../workspace/credentials.ts';
import { copyPins, keepPins } from '../workspace/pins.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { baseEnvironment, type GitPlace } from './environment.ts';
import { loginsIn, writeGitConfig, type Login } from './git-logins.ts';
import { gitSshProgram, type SshKeys } from './git-ssh.ts';
import {
  filesByHost,
  scopeKeys,
  startAgents,
  withdrawKeys,
  type ScopedKey,
} from './keys-by-host.ts';

/** `name` is the prefix of the names of all files that are written. */
export interface GitAccess {
  name: string;
  url: string;
  keys: GitKeys;
}

export async function withGitAccess<T>(
  place: GitPlace,
  { name, url, keys }: GitAccess,
  work: (env: Environment) => Promise<T>,
): Promise<T> {
  const { workspace } = place;
  const { own } = keys;
  const base = baseEnvironment(place);
  const byHost = scopeKeys(keys.byHost);
  const login = own.type === 'ssh' ? own.login : '';
  const config = await writeSshConfig(place, name, { login, mayAsk: false });
  const credentials = await gitCredentials(workspace, { name, url, key: own }, base);
  try {
    const ownUrl = own.type === 'ssh' ? url : null;
    const ssh = await sshVariables(place, name, { config, ownUrl, byHost });
    const logins = [...ownLogin(url, keys), ...loginsIn(byHost)];
    const settings = byHost.length > 0 && (await configVariable(workspace, logins));
    return await work({ ...base, ...credentials.env, ...ssh, ...settings });
  } finally {
    await credentials.stop();
    await withdrawKeys(workspace);
    await keepPins(place.ctx.config, place.task.project_id, workspace.dir);
  }
}

/** The login of the repository for its own address. For other addresses of the host, keys by host come first. */
function ownLogin(url: string, { own }: GitKeys): Login[] {
  const isWeb = ['http', 'https'].includes(repositoryType(url) ?? '');
  if (own.type !== 'login_password' || !isWeb) return [];
  return [{ url: url.replace(/^(https?:\/\/)[^/@]*@/i, '$1'), key: own }];
}

const configVariable = async (workspace: Workspace, logins: Login[]): Promise<Environment> => ({
  GIT_CONFIG_GLOBAL: await writeGitConfig(workspace, logins, [gitEnvironment['GIT_CONFIG_GLOBAL']]),
});

async function sshVariables(
  place: GitPlace,
  name: string,
  { byHost, ...own }: Pick<SshKeys, 'config' | 'ownUrl'> & { byHost: ScopedKey[] },
): Promise<Environment> {
  const { workspace } = place;
  const others = await writeSshConfig(place, `${filesByHost}ssh`, { login: '', mayAsk: false });
  const agents = await startAgents(workspace, byHost, baseEnvironment(place));
  const keys = byHost
    .map((key, index) => ({ ...key, agent: agents[index] ?? '' }))
    .filter(({ scope }) => scope.scheme === 'ssh');
  const program = await gitSshProgram({ ...own, others, byHost: keys });
  // A program, since git would pass a command line to a shell. Without the variant, git would run the program once
  // more to detect it.
  return {
    GIT_SSH: await makeProgram(workspace, `${name}.ssh`, program),
    GIT_SSH_VARIANT: 'ssh',
  };
}

/** The variables by which a task's own program uses the keys by host in git, until `withdrawKeys`. */
export async function accessByHost(
  place: GitPlace,
  byHost: KeyByHost[] = [],
): Promise<Environment> {
  const keys = scopeKeys(byHost);
  if (keys.length === 0) return {};
  const ssh = await sshVariables(place, `${filesByHost}git`, {
    config: null,
    ownUrl: null,
    byHost: keys,
  });
  const included = ['~/.gitconfig', '~/.config/git/config'];
  const config = await writeGitConfig(place.workspace, loginsIn(keys), included);
  return { ...ssh, GIT_CONFIG_GLOBAL: config };
}

export async function writeSshConfig(
  { ctx, task, workspace, execution }: GitPlace,
  name: string,
  options: Omit<SshOptions, 'knownHosts'>,
): Promise<string> {
  const pins = ctx.config.pinSshHostKeys ? knownHostsPath(ctx.config, task.project_id) : null;
  await mkdir(knownHostsOf(ctx.config), { recursive: true, mode: 0o700 });
  const { user } = workspace;
  // The project's file is outside of what the user or the container may see.
  const isCopied = user !== null || execution?.isContainer === true;
  const knownHosts = pins && isCopied ? await copyPins(pins, workspace) : pins;
  return workspace.writeSecret(`${name}.config`, sshConfig({ ...options, knownHosts }));
}
