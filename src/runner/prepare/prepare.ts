// Prepares what a run needs before its program starts: keys, files of the repository, inventory and
// variables. All of them lie in the workspace and are removed with it.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { networkVariables } from '../system/outgoing/connections.ts';
import { knownHostsOf, knownHostsPath } from '../system/known-hosts.ts';
import type { RunnerTask } from '#shared/api/runner-desk.ts';
import { homeVariables } from './kept-home.ts';
import { detailVariables, processVariables, type TaskDetails } from './variables.ts';
import { checkOut, type Source } from '../git/checkout.ts';
import type { Commit, RunContext } from '../desk/desk.ts';
import { quoted } from '../programs/shell.ts';
import {
  gitCredentials,
  makeProgram,
  sshConfig,
  startAgent,
  type SshOptions,
} from '../workspace/credentials.ts';
import { sshErrorsVariable } from '../git/ssh-errors.ts';
import type { CheckoutAccess } from '../foreign/foreign.ts';
import { copyPins, keepPins } from '../workspace/pins.ts';
import { outputsFile, type Workspace } from '../workspace/workspace.ts';
import type { OpenKey, RunKeys } from '../desk/secrets.ts';

export interface Preparation {
  ctx: RunContext;
  task: RunnerTask;
  workspace: Workspace;
  keys: RunKeys;
  /** The answers that are environment variables; `task` and `keys` have all others. */
  environmentAnswers: Record<string, string>;
  signal: AbortSignal;
  say: (line: string) => Promise<void>;
  sayAll: (lines: string[]) => Promise<void>;
  /** Hides further secrets in the log from now on, also for a runner that takes the run over. */
  hide: (secrets: string[]) => Promise<void>;
  /** Has the commit of the run recorded before its first program starts, while the preparation goes on. */
  noteCommit: (commit: Commit) => void;
  /**
   * Does something of no importance while the next program runs. The end of the run waits for it, but
   * not long; a failure is only noted.
   */
  inBackground: (work: (signal: AbortSignal) => Promise<void>) => void;
}

/** The workspace and project for calls of git: those of a run, or of a look at a repository. */
export type GitPlace = Pick<Preparation, 'workspace'> & {
  ctx: Pick<RunContext, 'config'>;
  task: { project_id: number };
};

/** How the files of a run's checkout are read. */
export const accessOf = ({ workspace, signal, sayAll }: Preparation): CheckoutAccess => ({
  user: workspace.user,
  signal,
  say: sayAll,
});

/** The variables of every program of a run. */
export function baseEnvironment({
  ctx,
  workspace,
}: Pick<GitPlace, 'ctx' | 'workspace'>): Record<string, string> {
  const { home, user } = workspace;
  // Files in a shared temporary folder would still be there for the next task of the same user.
  const own = user && { TMPDIR: join(home, 'tmp'), USER: user.name, LOGNAME: user.name };
  const usual = { PATH: ctx.config.path, HOME: home, LANG: 'C.UTF-8' };
  return { ...usual, SIGNALBOX_OUTPUTS: outputsFile(workspace), ...own };
}

/** The variables of the programs of people: with those of the service that all tasks get. */
export const programEnvironment = (place: Pick<GitPlace, 'ctx' | 'workspace'>) => ({
  ...place.ctx.config.taskEnvironment,
  ...baseEnvironment(place),
});

/** Those of a program that fetches something for a run, in the same way as git. */
export const fetchEnvironment = (place: Pick<GitPlace, 'ctx' | 'workspace'>) => ({
  ...programEnvironment(place),
  ...networkVariables(place.ctx.config),
});

/** Checks out the template's repository and answers the commit; null: a plain folder has none. */
export async function fetchFiles(preparation: Preparation): Promise<Commit | null> {
  const { task, workspace, keys, say, noteCommit } = preparation;
  const { repository, branch, commit, inventoryRepository } = task.snapshot;
  const source: Source = {
    repositoryId: repository.id,
    url: repository.git_url,
    branch,
    commit,
    withSubmodules: repository.with_submodules !== false,
  };
  await say(`Repository: ${repository.git_url}${branch ? `, branch ${branch}` : ''}`);
  const at = await fetchSource(preparation, source, workspace.checkout, keys.repository);
  if (at) {
    noteCommit(at);
    await say(`Commit: ${at.hash.slice(0, 10)} ${at.message}`);
  }
  if (!inventoryRepository) return at;
  const elsewhere: Source = {
    repositoryId: inventoryRepository.id,
    url: inventoryRepository.git_url,
    branch: inventoryRepository.git_branch,
    commit: null,
    withSubmodules: inventoryRepository.with_submodules !== false,
  };
  await say(`Repository of the inventory: ${inventoryRepository.git_url}`);
  await fetchSource(preparation, elsewhere, inventoryFolder(workspace), keys.inventoryRepository);
  return at;
}

export const inventoryFolder = (workspace: Workspace): string => join(workspace.dir, 'inventory');

// As git-lfs reads a flag.
const isOn = /^(?:1|t|true|y|yes|on)$/i;

async function fetchSource(preparation: Preparation, source: Source, target: string, key: OpenKey) {
  const { ctx, workspace, signal, say } = preparation;
  const name = `repository-${source.repositoryId}`;
  const pointersOnly = isOn.test(givenVariables(preparation)['GIT_LFS_SKIP_SMUDGE'] ?? '');
  const options = { config: ctx.config, workspace, signal, say, pointersOnly };
  return withGitAccess(preparation, { name, url: source.url, key }, (env) =>
    checkOut(source, target, { ...options, env }),
  );
}

/** A repository and its key; `name` begins the names of the files that are written for it. */
export interface GitAccess {
  name: string;
  url: string;
  key: OpenKey;
}

/** Calls `work` with an environment in which git can use the key of a repository. */
export async function withGitAccess<T>(
  preparation: GitPlace,
  access: GitAccess,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const { workspace } = preparation;
  const { name, key } = access;
  const base = baseEnvironment(preparation);
  const login = key.type === 'ssh' ? key.login : '';
  const config = await writeSshConfig(preparation, name, { login, mayAsk: false });
  // A program instead of a command line, which git would pass to a shell.
  const errors = sshErrorsVariable;
  const script =
    `#!/bin/sh\n[ -z "$${errors}" ] || exec 2>>"$${errors}"\n` +
    `exec ssh -F ${quoted(config)} "$@"\n`;
  const credentials = await gitCredentials(workspace, access, base);
  try {
    const program = await makeProgram(workspace, `${name}.ssh`, script);
    // Without the variant git starts a program of another name once more, to ask which one it is.
    const ssh = { GIT_SSH: program, GIT_SSH_VARIANT: 'ssh' };
    return await work({ ...base, ...credentials.env, ...ssh });
  } finally {
    await credentials.stop();
    await keepPins(preparation.ctx.config, preparation.task.project_id, workspace.dir);
  }
}

export async function writeSshConfig(
  { ctx, task, workspace }: GitPlace,
  name: string,
  options: Omit<SshOptions, 'knownHosts'>,
): Promise<string> {
  const pins = ctx.config.pinSshHostKeys ? knownHostsPath(ctx.config, task.project_id) : null;
  await mkdir(knownHostsOf(ctx.config), { recursive: true, mode: 0o700 });
  const { user } = workspace;
  const knownHosts = pins && user ? await copyPins(pins, workspace, user) : pins;
  return workspace.writeSecret(`${name}.config`, sshConfig({ ...options, knownHosts }));
}

/** The details of the task for its program. */
export function taskDetails({ ctx, task }: Preparation): TaskDetails {
  const { id, project_id: projectId, snapshot, version } = task;
  const { config } = ctx;
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

/** The environment variables that the template's environment sets, with the secret ones, and the answers. */
export function givenVariables({
  task,
  keys,
  environmentAnswers,
}: Pick<Preparation, 'task' | 'keys' | 'environmentAnswers'>): Record<string, string> {
  const set = { ...processVariables(task.snapshot), ...keys.environment.process };
  return { ...set, ...environmentAnswers };
}

interface OwnVariables {
  /** Those of the app, over which the variables of the template win. */
  own: Record<string, string>;
  /** Those that win over all others. */
  last?: Record<string, string>;
  /** The names of variables of a kept home that a configuration of the repository decides. */
  decided?: string[];
}

/** The whole environment of a command. */
export async function taskEnvironment(
  preparation: Preparation,
  folder: string,
  { own, last = {}, decided = [] }: OwnVariables,
): Promise<Record<string, string>> {
  const { keys } = preparation;
  const home = Object.entries(await homeVariables(preparation));
  const base = baseEnvironment(preparation);
  return {
    ...programEnvironment(preparation),
    PWD: folder,
    ...own,
    ...Object.fromEntries(home.filter(([name]) => !decided.includes(name))),
    ...detailVariables(taskDetails(preparation)),
    ...givenVariables(preparation),
    ...last,
    ...(await agentFor(preparation, keys.user, base)),
  };
}

async function agentFor(
  { workspace }: Preparation,
  key: OpenKey,
  env: Record<string, string>,
): Promise<Record<string, string>> {
  if (key.type !== 'ssh') return {};
  const agent = await startAgent(workspace, { name: 'hosts', key }, env);
  return { SSH_AUTH_SOCK: agent.socket };
}
