import type { RunnerConfig } from '../config/runner-config.ts';
import { podFolders } from '../pods/pod-folders.ts';
import type { SentConfig } from './requests.ts';

/** The settings of the side-car: those of the runner, and what holds in every pod. */
export const sideCarConfig = (
  sent: SentConfig,
  own: Pick<RunnerConfig, 'serverCaFile' | 'gitCaFile' | 'path'>,
): RunnerConfig => ({
  ...sent,
  ...own,
  dataDir: podFolders.data,
  maxParallelTasks: 1,
  runAs: [],
  localRepositories: [],
  keptHomeBytes: 0,
  leastDiskBytes: 0,
  containers: {
    engine: 'none',
    networks: [],
    mounts: [],
    users: [],
    pullSeconds: 0,
    keptImageBytes: 0,
  },
  kubernetes: null,
  podFolder: podFolders.main,
});
