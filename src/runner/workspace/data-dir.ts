// Prepares the data folder of a server or a runner.

import { constants, existsSync } from 'node:fs';
import { access, chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../node/config-error.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { prepareIsolation } from './run-users.ts';

/** Creates the data folder and sets its permissions; throws a ConfigError if that fails. */
export async function prepareDataDir(config: RunnerConfig): Promise<void> {
  try {
    await makeFolder(config);
  } catch (error) {
    throw unusable(config, error as NodeJS.ErrnoException);
  }
  await prepareIsolation(config);
}

async function makeFolder({ dataDir }: RunnerConfig): Promise<void> {
  await makePath(dataDir);
  // 0711 lets users of tasks pass through the folder without listing it.
  const { mode } = await stat(dataDir);
  if (![0o711, 0o700].includes(mode & 0o777)) await chmod(dataDir, 0o700);
  await mkdir(join(dataDir, 'repositories'), { recursive: true });
  await access(dataDir, constants.W_OK);
}

/** Creates the folder and its parents. Node's `recursive` hangs where no folder can be created, as in /proc. */
async function makePath(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || path === dirname(path) || existsSync(dirname(path))) throw error;
    await makePath(dirname(path));
    await mkdir(path);
  }
}

const reasons: Record<string, string> = {
  EEXIST: 'it is a file',
  ENOENT: 'the system makes no folder there',
  ENOTDIR: 'a part of its path is a file',
  EROFS: 'its disk can only be read',
  EACCES: 'the user of the server may not write there',
  EPERM: 'the user of the server may not write there',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the space of the user of the server is used up',
};

function unusable({ dataDir }: RunnerConfig, cause: NodeJS.ErrnoException): ConfigError {
  const reason = reasons[cause.code ?? ''] ?? cause.message;
  return new ConfigError(
    `The data folder ${dataDir} cannot be used: ${reason}. Put that right, or name another folder: SIGNALBOX_DATA_DIR.`,
    { cause },
  );
}
