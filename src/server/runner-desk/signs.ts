// What a runner without the database tells of itself.

import type { Context } from '../context.ts';
import { fail } from '../errors.ts';
import type { Found } from '../../runner/desk.ts';
import { localDesk } from './local-desk.ts';
import { noteSign, type Sign } from '../runners/remote-runners.store.ts';

/** It is there, and has something to do or not. */
export async function noteLife(ctx: Context, sign: Sign): Promise<void> {
  if (!(await noteSign(ctx.db, sign))) throw fail('runner.replaced');
  // Tasks may have waited for it.
  if (sign.isNew) ctx.hub.publish('queue', {});
}

/** Which of the things in its data folder belong to something. */
export const sortOut = (ctx: Context, found: Found): Promise<Found> =>
  localDesk(ctx).sortOut(found);
