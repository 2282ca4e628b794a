import { holdFolder } from '../../node/fs/folder-lock.ts';
import { createLog } from '../../node/log/log.ts';
import { prepareDataDir } from '../../runner/workspace/data-dir.ts';
import { loadWholeConfig } from '../config/config.ts';
import type { Beginning, Surroundings } from './surroundings.ts';

/** Runs until SIGTERM, SIGINT or SIGHUP; returns the exit code. */
export async function runServer(at: Surroundings): Promise<number> {
  const config = await loadWholeConfig(at.environment);
  const log = createLog(config.logLevel, at.errors);
  const beginning = { at, config, log, signalled: at.untilSignal() };
  await prepareDataDir(config);
  const giveBack = await holdFolder(config);
  try {
    return await runUntilSignal(beginning);
  } finally {
    giveBack();
  }
}

/** Imported lazily: a remote runner needs few of the server's packages. */
async function runUntilSignal(beginning: Beginning): Promise<number> {
  const { remote } = beginning.config;
  if (remote) return (await import('./remote-runner.ts')).runRemote(beginning, remote);
  return (await import('./database-server.ts')).runWithDatabase(beginning);
}
