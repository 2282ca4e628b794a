import type { Readable } from 'node:stream';
import { feedTool } from '../../../runner/programs/process.ts';
import { ConfigError } from '../../../node/config-error.ts';

/** Pipes a backup to a program. Resolves when the program has read everything and succeeded. */
export async function sendBackup(
  archive: Readable,
  [command = '', ...args]: string[],
  env: Record<string, string>,
): Promise<void> {
  const { exitCode, failure, hasReadAll } = await feedTool(
    { command, args, cwd: process.cwd(), env },
    archive,
  );
  if (failure !== null) throw new ConfigError(`${command} cannot be started: ${failure}.`);
  if (exitCode !== 0) {
    const how = exitCode === null ? 'a signal' : `exit code ${exitCode}`;
    throw new ConfigError(`${command} has ended with ${how}, so there is no backup.`);
  }
  if (!hasReadAll) {
    throw new ConfigError(`${command} has ended before it had read the backup.`);
  }
}
