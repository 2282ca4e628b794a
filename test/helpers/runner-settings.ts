// The settings of a runner in a test, with a data folder that is removed when the test ends.

import type { RunnerConfig } from '../../src/runner/config/runner-config.ts';
import { noLimits } from '../../src/runner/programs/task-limits.ts';
import { noProxies } from '../../src/node/net/proxies.ts';
import { folder } from './seed.ts';

export const runnerSettings = async (
  change: Partial<RunnerConfig> = {},
): Promise<RunnerConfig> => ({
  dataDir: change.dataDir ?? (await folder()),
  publicUrl: null,
  maxParallelTasks: 0,
  runAs: [],
  localRepositories: ['/'],
  pinSshHostKeys: true,
  keptHomeBytes: 0,
  leastDiskBytes: 0,
  taskLimits: noLimits,
  requireTaskLimits: false,
  gitCaFile: null,
  serverCaFile: null,
  proxies: noProxies,
  taskEnvironment: {},
  containers: {
    engine: 'none',
    networks: [],
    mounts: [],
    users: [],
    pullSeconds: 60,
    keptImageBytes: 0,
  },
  kubernetes: null,
  podFolder: null,
  logLevel: 'silent',
  path: process.env['PATH'] ?? '/usr/bin:/bin',
  ...change,
});
