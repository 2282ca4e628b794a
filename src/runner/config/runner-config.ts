// The settings that a runner needs.

import { isAbsolute, resolve } from 'node:path';
import type { Proxies } from '../../node/net/proxies.ts';
import type { RunUser } from '../../node/process/run-users.ts';

export interface RunnerConfig {
  dataDir: string;
  /** The address of the console, without a slash at the end; null: it is not set. */
  publicUrl: string | null;
  /** How many tasks may run at once; 0: no limit. */
  maxParallelTasks: number;
  /** The users that run the programs of tasks; empty: the runner's own user. */
  runAs: RunUser[];
  /** Folders in which local repositories may lie. */
  localRepositories: string[];
  pinSshHostKeys: boolean;
  /** The bytes that the kept home folder of a project may have; 0: no limit. */
  keptHomeBytes: number;
  /** The free bytes on the disk of the data folder below which no task starts; 0: no limit. */
  leastDiskBytes: number;
  /** What the programs of any task may use at most; 0: no limit. */
  taskLimits: { memoryMib: number; cpuPercent: number; processes: number };
  /** Whether a task fails whose limits cannot be held here. */
  requireTaskLimits: boolean;
  /** File of the certificates with which git checks https servers; null: those of the system. */
  gitCaFile: string | null;
  /** File of the certificates of the server's authority; null: only those that Node knows. */
  serverCaFile: string | null;
  /** The proxies of the service, for all that is fetched or sent over HTTP. */
  proxies: Proxies;
  /** The variables of the service that all tasks get. */
  taskEnvironment: Record<string, string>;
  logLevel: string;
  /** PATH of the runner, which the programs of tasks inherit. */
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
  keptHomeBytes: config.keptHomeBytes,
  leastDiskBytes: config.leastDiskBytes,
  taskLimits: config.taskLimits,
  requireTaskLimits: config.requireTaskLimits,
  gitCaFile: config.gitCaFile,
  serverCaFile: config.serverCaFile,
  proxies: config.proxies,
  taskEnvironment: config.taskEnvironment,
  logLevel: config.logLevel,
  path: config.path,
});

/** Whether the folder of a local repository is one of the allowed folders or lies in one. */
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
