// What a runner has to know of its settings.

import { isAbsolute, resolve } from 'node:path';
import type { RunUser } from './run-as.ts';

export interface RunnerConfig {
  dataDir: string;
  /** Where people reach the console, without a slash at the end; null: nobody has said. */
  publicUrl: string | null;
  /** 0: no limit. */
  maxParallelTasks: number;
  /** Who runs the programs of tasks; empty: the runner's own user. */
  runAs: RunUser[];
  /** Folders in which local repositories may lie. */
  localRepositories: string[];
  pinSshHostKeys: boolean;
  /** Certificates with which git checks https servers; null: those of the system. */
  gitCaFile: string | null;
  /** Certificates of the authority of the runner's server; null: those that Node knows must do. */
  serverCaFile: string | null;
  logLevel: string;
  /** PATH of the runner, handed to the programs that tasks run. */
  path: string;
}

/** The settings of the runner, out of a configuration that may hold more. */
export const runnerConfig = (config: RunnerConfig): RunnerConfig => ({
  dataDir: config.dataDir,
  publicUrl: config.publicUrl,
  maxParallelTasks: config.maxParallelTasks,
  runAs: config.runAs,
  localRepositories: config.localRepositories,
  pinSshHostKeys: config.pinSshHostKeys,
  gitCaFile: config.gitCaFile,
  serverCaFile: config.serverCaFile,
  logLevel: config.logLevel,
  path: config.path,
});

/** What an administrator has to put right: a line for each thing, without secrets. */
export class ConfigError extends Error {}

/** Whether a local repository's folder lies under one of the allowed roots. */
export function isAllowedFolder(
  { localRepositories }: Pick<RunnerConfig, 'localRepositories'>,
  folder: string,
): boolean {
  if (!isAbsolute(folder)) return false;
  const path = resolve(folder);
  return localRepositories
    .map((root) => resolve(root))
    .some((root) => path === root || path.startsWith(root === '/' ? '/' : `${root}/`));
}
