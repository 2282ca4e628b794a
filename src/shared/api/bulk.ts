// Actions on many resources at once: each id is handled by itself, so that one refusal does not stop the others.

import { z } from 'zod';
import { id } from '../fields.ts';
import { messageParams } from './coded-messages.ts';

export const MAX_BULK_IDS = 500;

export const bulkIds = z.array(id).min(1).max(MAX_BULK_IDS);

/** The refusal of one of the ids, as the call for this id alone would be refused. */
const bulkError = z.object({
  code: z.string(),
  params: messageParams,
  message: z.string(),
  fields: z.array(
    z.object({
      path: z.string(),
      code: z.string(),
      message: z.string(),
      params: messageParams.optional(),
    }),
  ),
});
export type BulkError = z.output<typeof bulkError>;

export const bulkResult = z.object({
  id,
  ok: z.boolean(),
  /** Null: it succeeded. */
  error: bulkError.nullable(),
});
export type BulkResult = z.output<typeof bulkResult>;

/** `task_id`: the launched task; null: refused. */
export const bulkLaunch = bulkResult.extend({ task_id: id.nullable() });
export type BulkLaunch = z.output<typeof bulkLaunch>;
