// Confirms the password before a change of credentials.

import type { FieldCode } from '#shared/catalogue/field-errors.ts';
import type { Context } from '../../context/context.ts';
import { failFields, fieldError } from '../../lib/errors.ts';
import { beginAttempt } from '../session/attempts.ts';
import { tryPassword } from './check-password.ts';
import { findCredentials } from '../users/users.ts';

/** Rate-limited like sign-in, so that a stolen session cannot guess the password. */
export async function requirePassword(
  ctx: Context,
  user: { id: number; username: string },
  password: string,
  wrong: { path: string; code: FieldCode } = { path: 'password', code: 'user.password_wrong' },
): Promise<void> {
  const attempt = await beginAttempt(ctx, { user, place: 'session' });
  const credentials = await findCredentials(ctx.db, user.username);
  const typed = { login: user.username, password };
  const known = await tryPassword(ctx, attempt, credentials, typed);
  if (known?.id !== user.id) {
    await attempt.failed(ctx);
    throw failFields(fieldError(wrong.path, wrong.code));
  }
  await attempt.succeeded(ctx);
}
