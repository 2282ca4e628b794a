import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../../node/config-error.ts';

/** The file that exists while a restore changes the data folder. */
export const unfinishedMark = 'restore-unfinished';

/** Throws if a restore into the data folder was interrupted. */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, unfinishedMark))) return;
  throw new ConfigError(
    `A restore into the data folder ${dataDir} has not come to its end. Run "signalbox restore" again, with the same arguments, or name another folder: SIGNALBOX_DATA_DIR.`,
  );
}
