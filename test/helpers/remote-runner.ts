// Runs remote runners in the process of a test.

import { rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { runners } from '#shared/api/runners.ts';
import { loadConfig, type Config } from '../../src/server/config/config.ts';
import { startRemote, type RemoteRunner } from '../../src/runner/remote.ts';
import { endRun } from '../../src/runner/supervisor/supervisor.ts';
import { findStrayWorkspaces } from '../../src/runner/workspace/workspace.ts';
import type { Caller } from './app.ts';
import { watchedLog } from './kept-secrets.ts';
import { folder } from './seed.ts';

export interface TestRemote extends RemoteRunner {
  id: number;
  dataDir: string;
  /** Starts the runner again in its data folder. */
  again: () => Promise<TestRemote>;
}

interface Options {
  name?: string;
  tags?: string[];
  config?: Partial<Config>;
}

/** Makes a runner, which registers with its token and works until the test ends. */
export async function remoteRunner(
  admin: Caller,
  serverUrl: string,
  { name = 'Far away', tags = [], config = {} }: Options = {},
): Promise<TestRemote> {
  const { id, token } = await admin.call(runners.create, { body: { name, tags } });
  const dataDir = await folder();
  const start = async (given: string | null): Promise<TestRemote> => {
    const remote = { serverUrl, token: given };
    const own = { ...loadConfig({}), dataDir, localRepositories: ['/'], remote, ...config };
    const started = await startRemote(own, remote, watchedLog());
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (isClosed) return;
      isClosed = true;
      await started.close();
    };
    onTestFinished(close);
    return { ...started, id, dataDir, close, again: () => start(null) };
  };
  onTestFinished(async () => {
    for (const run of await findStrayWorkspaces({ ...loadConfig({}), dataDir }, [])) {
      await endRun(run.dir, run.mark);
      await run.remove();
    }
    await rm(dataDir, { recursive: true, force: true });
  });
  return start(token);
}
