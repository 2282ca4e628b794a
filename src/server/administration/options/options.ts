// Values that administrators store for their own programs. The server never reads them, because a value
// that an API client writes must never become a setting.

import type { Option } from '#shared/api/options.ts';
import type { Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';
import { inTransaction } from '../../context/transaction.ts';
import { listOptions, writeOption } from './options.store.ts';

export async function readOptions(ctx: Context): Promise<Record<string, string>> {
  const list = await listOptions(ctx.db);
  return Object.fromEntries(list.map(({ key, value }) => [key, value]));
}

export async function setOption(ctx: Context, option: Option): Promise<Option> {
  await inTransaction(ctx, async (inner) => {
    await writeOption(inner.db, option);
    const object = { type: 'option', id: null, name: option.key } as const;
    await record(inner, { code: 'option.set', projectId: null, object });
  });
  return option;
}
