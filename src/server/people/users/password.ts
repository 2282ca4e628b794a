// argon2id in PHC string format, with the parameters of OWASP.

import { argon2, randomBytes, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';
import { trimEndOf } from '#shared/trim-end.ts';
import { lazy } from '../../../node/async/state-of.ts';
import { safeEqual } from '../../lib/digest.ts';
import { rm, writeFile } from 'node:fs/promises';
import { ConfigError } from '../../../node/config-error.ts';
import type { Context } from '../../context/context.ts';
import { readFileSync } from 'node:fs';
import { newPassword } from '#shared/api/users.ts';
import { findingsOf } from '#shared/field-errors.ts';
import type { FieldError } from '#shared/errors.ts';
import type { Config } from '../../config/config.ts';
import { fieldError } from '../../lib/errors.ts';

const derive = promisify(argon2);

// Memory in KiB.
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

const encode = (bytes: Buffer): string => trimEndOf(bytes.toString('base64'), '=');

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await hash(password, { ...cost, nonce: salt, tagLength: tagBytes });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`;
}

const hash = (password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> =>
  derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), ...parameters });

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

// The hash that is compared if there is no such user, so that the answer takes as long.
const decoy = lazy(() => hashPassword(randomBytes(saltBytes).toString('hex')));

/** Takes the same time for an unknown user (`stored` is null). */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const unused = decoy();
  const parts = phc.exec(stored ?? (await unused));
  if (!parts) return false;
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts;
  const expected = Buffer.from(tag, 'base64');
  const actual = await hash(password, {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
  });
  return safeEqual(actual, expected) && stored !== null;
}

// The random password of the first administrator in a file, where output is kept, as by journald.

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

// Rules for new passwords; existing ones stay valid.

// Shorter logins occur in too many words.
const MIN_CHECKED_LOGIN_LENGTH = 3;

/** The passwords that are guessed first. */
const commonPasswords = lazy(() => {
  const path = new URL('common-passwords.txt', import.meta.url);
  return new Set(readFileSync(path, 'utf8').split('\n').filter(Boolean));
});

export function faultsOf(
  { passwordMinLength: min }: Config,
  password: string,
  login: string,
): FieldError[] {
  const findings = findingsOf(newPassword, password);
  if (findings.length > 0) {
    return findings.map(({ code, params }) =>
      code === 'field.too_short'
        ? fieldError('password', code, { min })
        : fieldError('password', code, params),
    );
  }
  if (password.length < min) return [fieldError('password', 'field.too_short', { min })];
  if (commonPasswords().has(password.toLowerCase()))
    return [fieldError('password', 'user.password_common')];
  const name = login.toLowerCase();
  const containsLogin =
    name.length >= MIN_CHECKED_LOGIN_LENGTH && password.toLowerCase().includes(name);
  return containsLogin ? [fieldError('password', 'user.password_login')] : [];
}
