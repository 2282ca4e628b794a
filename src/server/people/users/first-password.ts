// The file with the random password of the first administrator, for servers whose output is kept:
// by the journal of systemd, for example.

import { rm, writeFile } from 'node:fs/promises';
import { ConfigError } from '../../../node/config-error.ts';
import type { Context } from '../../context/context.ts';

/** Writes the password into a new file that only its owner can read. */
export async function writeFirstPassword(path: string, password: string): Promise<void> {
  try {
    // Whoever has opened an older file does not see what is written into the new one.
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

/** Removes the file as soon as its password has been used, or is not needed. */
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
