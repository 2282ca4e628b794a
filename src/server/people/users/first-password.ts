// The random password of the first administrator in a file, where output is kept, as by journald.

import { rm, writeFile } from 'node:fs/promises';
import { ConfigError } from '../../../node/config-error.ts';
import type { Context } from '../../context/context.ts';

export async function writeFirstPassword(path: string, password: string): Promise<void> {
  try {
    // A process that has an older file open must not read the new password.
    await rm(path, { force: true });
    await writeFile(path, `${password}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ConfigError(
      `SIGNALBOX_FIRST_PASSWORD_FILE names a file that cannot be written (${reason}): ${path}`,
      { cause },
    );
  }
}

/** Called once the password was used or is not needed. */
export async function removeFirstPassword(
  { config, log }: Pick<Context, 'config' | 'log'>,
  login: string,
): Promise<void> {
  const { admin, firstPasswordFile: path } = config;
  if (path === null || login.toLowerCase() !== admin.login.toLowerCase()) return;
  await rm(path, { force: true }).catch((error: unknown) => {
    log.warn({ err: error }, `the file with the first password could not be removed: ${path}`);
  });
}
