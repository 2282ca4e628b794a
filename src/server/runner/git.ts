// Calls of git that cannot be bent: no prompts, no hooks, no foreign configuration,
// only the protocols we know, and `--` before everything a person typed.

import { runTool, type ToolResult } from './process.ts';

const safe = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.ext.allow=never',
  '-c',
  'safe.directory=*',
  '-c',
  'advice.detachedHead=false',
  '-c',
  'gc.auto=0',
];

/** What every git is told, also one that another program calls. */
export const gitEnvironment: Record<string, string> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'ssh:https:http:git:file',
  LC_ALL: 'C.UTF-8',
};

export interface GitOptions {
  cwd: string;
  env: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** A call of git that failed, with what git said. */
export class GitError extends Error {}

export async function git(args: string[], options: GitOptions): Promise<string> {
  const result = await tryGit(args, options);
  if (result.exitCode === 0) return result.stdout;
  throw new GitError(
    result.failure ?? (result.stderr.trim() || `git ended with ${result.exitCode}`),
  );
}

export function tryGit(args: string[], { cwd, env, signal }: GitOptions): Promise<ToolResult> {
  const own = { ...gitEnvironment, GIT_CONFIG_GLOBAL: '/dev/null' };
  return runTool(
    { command: 'git', args: [...safe, ...args], cwd, env: { ...own, ...env } },
    signal,
  );
}
