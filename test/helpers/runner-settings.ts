// What a runner in a test is told of its settings, with a data folder that goes when the test ends.

import type { RunnerConfig } from '../../src/runner/system/config.ts';
import { folder } from './seed.ts';

export const runnerSettings = async (
  change: Partial<RunnerConfig> = {},
): Promise<RunnerConfig> => ({
  dataDir: await folder(),
  publicUrl: null,
  maxParallelTasks: 0,
  runAs: [],
  localRepositories: ['/'],
  pinSshHostKeys: true,
  gitCaFile: null,
  serverCaFile: null,
  logLevel: 'silent',
  path: process.env['PATH'] ?? '/usr/bin:/bin',
  ...change,
});
