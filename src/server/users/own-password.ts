// Whoever changes how they sign in proves that they know their password.

import type { FieldCode } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import { failFields, fieldError } from '../errors.ts';
import { beginAttempt } from '../session/attempts.ts';
import { verifyPassword } from './password.ts';
import { findHash } from './users.store.ts';

/** Limited like signing in: a stolen session must not be a way to guess the password. */
export async function requirePassword(
  ctx: Context,
  user: { id: number; username: string },
  password: string,
  wrong: { path: string; code: FieldCode } = { path: 'password', code: 'user.password_wrong' },
): Promise<void> {
  const attempt = await beginAttempt(ctx, user);
  if (!(await verifyPassword(password, await findHash(ctx.db, user.id)))) {
    await attempt.failed(ctx);
    throw failFields(fieldError(wrong.path, wrong.code));
  }
  await attempt.succeeded(ctx);
}
