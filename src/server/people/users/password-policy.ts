// Rules for new passwords; existing ones stay valid.

import { readFileSync } from 'node:fs';
import { newPassword } from '#shared/api/users.ts';
import { findingsOf } from '#shared/field-errors.ts';
import type { FieldError } from '#shared/errors.ts';
import { lazy } from '../../../node/async/state-of.ts';
import type { Config } from '../../config/config.ts';
import { fieldError } from '../../lib/errors.ts';

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
