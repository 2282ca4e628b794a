// Prepares what a run needs before its program starts: keys, files of the repository, inventory and variables, all
// in its workspace.

import { join } from 'node:path';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { homeVariables } from './persistent-home.ts';
import { detailVariables, processVariables, type TaskDetails } from './variables.ts';
import { checkOut, type Source } from '../git/checkout.ts';
import type { Commit, RunContext } from '../api/runner-api.ts';
import { startAgent } from '../workspace/credentials.ts';
import { baseEnvironment, programEnvironment } from './environment.ts';
import { withGitAccess } from './git-access.ts';
import type { Execution } from '../execution/execution.ts';
import type { CheckoutAccess } from '../sandbox/sandbox.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { OpenKey, RunKeys } from '../api/run-secrets.ts';

/** What fetching the files of a run needs. */
export interface FilePreparation {
  ctx: RunContext;
  task: RunnerTask;
  workspace: Workspace;
  keys: RunKeys;
  /** The answers to the survey that are environment variables; `task` and `keys` have the others. */
  environmentAnswers: Record<string, string>;
  signal: AbortSignal;
  say: (line: string) => Promise<void>;
  sayAll: (lines: string[]) => Promise<void>;
  /** Masks further secrets in the log from now on, also after another runner resumes the run. */
  hide: (secrets: string[]) => Promise<void>;
  /** Runs optional work beside the next program. The end of the run waits shortly for it; errors are only logged. */
  inBackground: (work: (signal: AbortSignal) => Promise<void>) => void;
}

export interface Preparation extends FilePreparation {
  /** The programs with which the run works. */
  execution: Execution;
}

/** How files of a run's checkout are read. */
export const accessOf = ({ workspace, signal, sayAll }: FilePreparation): CheckoutAccess => ({
  user: workspace.user,
  signal,
  say: sayAll,
});

/** Checks out the template's repository, and that of its inventory. Null: a plain folder has no commit. */
export async function fetchFiles(preparation: FilePreparation): Promise<Commit | null> {
  const { ctx, task, workspace, keys, say } = preparation;
  const { repository, branch, commit, inventoryRepository } = task.snapshot;
  await say(`Repository: ${repository.git_url}${branch ? `, branch ${branch}` : ''}`);
  const source = { ...sourceOf(repository), branch, commit };
  const at = await fetchSource(preparation, source, workspace.checkout, keys.repository);
  if (at) {
    await ctx.runnerApi.recordCommit(task, at);
    await say(`Commit: ${at.hash.slice(0, 10)} ${at.message}`);
  }
  if (!inventoryRepository) return at;
  const { git_branch } = inventoryRepository;
  const elsewhere = { ...sourceOf(inventoryRepository), branch: git_branch, commit: null };
  await say(`Repository of the inventory: ${inventoryRepository.git_url}`);
  await fetchSource(preparation, elsewhere, inventoryFolder(workspace), keys.inventoryRepository);
  return at;
}

type RepositorySnapshot = TaskSnapshot['repository'];

const sourceOf = ({ id, git_url: url, with_submodules }: RepositorySnapshot) => ({
  repositoryId: id,
  url,
  withSubmodules: with_submodules !== false,
});

export const inventoryFolder = (workspace: Workspace): string => join(workspace.dir, 'inventory');

// How git-lfs parses a flag.
const isOn = /^(?:1|t|true|y|yes|on)$/i;

async function fetchSource(
  preparation: FilePreparation,
  source: Source,
  target: string,
  own: OpenKey,
) {
  const { ctx, workspace, signal, say } = preparation;
  const name = `repository-${source.repositoryId}`;
  const pointersOnly = isOn.test(givenVariables(preparation)['GIT_LFS_SKIP_SMUDGE'] ?? '');
  const options = { config: ctx.config, workspace, signal, say, pointersOnly };
  const keys = { own, byHost: preparation.keys.byHost ?? [] };
  return withGitAccess(preparation, { name, url: source.url, keys }, (env) =>
    checkOut(source, target, { ...options, env }),
  );
}

export function taskDetails({ ctx, task }: Preparation): TaskDetails {
  const { id, project_id: projectId, snapshot, version } = task;
  const { publicUrl } = ctx.config;
  const { type, message, username, incomingVersion } = snapshot;
  return {
    id,
    username,
    url: publicUrl && `${publicUrl}/project/${projectId}/history?t=${id}`,
    ...(message && { message }),
    ...(type && { type }),
    ...(incomingVersion !== null && { incoming_version: incomingVersion }),
    ...(version !== null && { target_version: version }),
  };
}

/** The environment variables of the template's environment, with secrets, and those of the survey. */
export function givenVariables({
  task,
  keys,
  environmentAnswers,
}: Pick<Preparation, 'task' | 'keys' | 'environmentAnswers'>): Record<string, string> {
  const set = { ...processVariables(task.snapshot), ...keys.environment.process };
  return { ...set, ...environmentAnswers };
}

interface OwnVariables {
  /** Those of the app, which variables of the template override. */
  own: Record<string, string>;
  /** Those that override all others. */
  last?: Record<string, string>;
  /** The names of variables of a kept home that the repository's configuration sets. */
  decided?: string[];
}

/** The whole environment of a command. */
export async function taskEnvironment(
  preparation: Preparation,
  folder: string,
  { own, last = {}, decided = [] }: OwnVariables,
): Promise<Record<string, string>> {
  const { keys } = preparation;
  const kept = await homeVariables(preparation);
  if (kept['HOME']) preparation.execution.share(kept['HOME'], 'write');
  const home = Object.entries(kept);
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
