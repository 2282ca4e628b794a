// The folder of everything that a server or a runner keeps on its disk.

import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { prepareIsolation } from './runner/run-users.ts';

/** Makes the data folder what it must be. */
export async function prepareDataDir(config: Config): Promise<void> {
  await mkdir(config.dataDir, { recursive: true });
  // With 0711, made for users of tasks, nobody can list it either.
  const { mode } = await stat(config.dataDir);
  if ((mode & 0o777) !== 0o711) await chmod(config.dataDir, 0o700);
  await mkdir(join(config.dataDir, 'repositories'), { recursive: true });
  await prepareIsolation(config);
}
