// Options that clients store for their users; the server does not use them.

import type { Option } from '#shared/api/options.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { failFields, fieldError } from '../../lib/errors.ts';
import { listOwnOptions, writeOwnOption } from './own-options.store.ts';

const MAX_OPTIONS = 100;

export async function getOwnOptions(
  { db }: Context,
  userId: number,
): Promise<Record<string, string>> {
  const list = await listOwnOptions(db, userId);
  return Object.fromEntries(list.map(({ key, value }) => [key, value]));
}

export async function setOwnOption(ctx: Context, userId: number, option: Option): Promise<Option> {
  return inTransaction(ctx, async ({ db }) => {
    await writeOwnOption(db, userId, option);
    if ((await listOwnOptions(db, userId)).length > MAX_OPTIONS) {
      throw failFields(fieldError('key', 'field.too_many', { max: MAX_OPTIONS }));
    }
    return option;
  });
}
