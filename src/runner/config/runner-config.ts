import { isAbsolute, resolve } from 'node:path';
import type { Proxies } from '../../node/net/proxies.ts';
import type { RunUser } from '../../node/process/run-users.ts';

export interface ContainerConfig {
  /** `auto`: podman, or docker if there is no podman. */
  engine: 'auto' | 'podman' | 'docker' | 'none';
  /** The networks that an execution environment may name besides `none`. */
  networks: string[];
  /** The files and folders of the runner that may be mounted, each as a whole. */
  mounts: string[];
  /** The users, as `uid:gid`, that an execution environment may name. */
  users: string[];
  /** The time limit for pulling an image. */
  pullSeconds: number;
  /** The size of images that are kept on the disk although no task has used them lately; 0: no limit. */
  keptImageBytes: number;
}

export interface KubernetesConfig {
  /** The kubeconfig; null: the service account of the pod in which the runner itself runs. */
  configFile: string | null;
  /** The namespace of the pods; empty: that of the context or of the runner's pod. */
  namespace: string;
  /** The image of the container beside that of a task. */
  image: string;
  /** The address of the server for pods; null: that of the runner. */
  serverUrl: string | null;
  /** The service accounts that an execution environment may name. */
  serviceAccounts: string[];
  /** Whether the user of a pod is another one on its node. */
  userNamespaces: boolean;
  /** How long a pod may wait for a node, and then for its containers. */
  startSeconds: number;
}

export interface RunnerConfig {
  dataDir: string;
  /** The address of the console without a trailing slash; null: not set. */
  publicUrl: string | null;
  /** How many tasks may run at once; 0: no limit. */
  maxParallelTasks: number;
  /** The users that run the programs of tasks; empty: the runner's user. */
  runAs: RunUser[];
  /** Folders that may contain local repositories. */
  localRepositories: string[];
  pinSshHostKeys: boolean;
  /** The size limit of the kept home folder of a project in bytes; 0: no limit. */
  keptHomeBytes: number;
  /** The free bytes on the disk of the data folder below which no task starts; 0: no limit. */
  leastDiskBytes: number;
  /** The limits of the programs of any task; 0: no limit. */
  taskLimits: { memoryMib: number; cpuPercent: number; processes: number };
  /** Whether a task fails if its limits cannot be enforced. */
  requireTaskLimits: boolean;
  /** The CA certificates with which git verifies https servers; null: those of the system. */
  gitCaFile: string | null;
  /** The CA certificates of the server; null: only those that Node trusts. */
  serverCaFile: string | null;
  /** The proxies for all HTTP requests. */
  proxies: Proxies;
  /** The variables of the service that all tasks inherit. */
  taskEnvironment: Record<string, string>;
  /** What containers of tasks may have. */
  containers: ContainerConfig;
  /** The cluster in which all tasks run; null: they run on this machine. */
  kubernetes: KubernetesConfig | null;
  /** The folder by which this process, the side-car of a pod, reaches the main container; null: it is none. */
  podFolder: string | null;
  logLevel: string;
  /** PATH for the programs of tasks. */
  path: string;
}

/** The settings of the runner out of a configuration that may have more. */
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
  containers: config.containers,
  kubernetes: config.kubernetes,
  podFolder: config.podFolder,
  logLevel: config.logLevel,
  path: config.path,
});

/** Whether the folder is one of the allowed folders or lies in one. */
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
