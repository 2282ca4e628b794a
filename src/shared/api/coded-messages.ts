// The schemas of messages that are sent as a code with parameters (see catalogue/catalogue.ts).

import { z } from 'zod';
import { confirmationReasons } from '../catalogue/confirmation-reasons.ts';
import { taskFailures } from '../catalogue/task-failures.ts';

export const messageParams = z.record(z.string(), z.union([z.string(), z.number()]));

/** The reason of a failed task. */
export const failure = z.object({ code: z.enum(taskFailures.codes), params: messageParams });
/** The same with the English sentence. */
export const taskFailure = failure.extend({ text: z.string() });
export type TaskFailure = z.output<typeof taskFailure>;

/** Why a plan must be confirmed although it was approved. */
export const confirmationReason = z.object({
  code: z.enum(confirmationReasons.codes),
  params: z.record(z.string().max(100), z.union([z.string().max(2000), z.number()])),
});
/** The same with the English sentence. */
export const shownReason = confirmationReason.extend({ text: z.string() });
export type ShownReason = z.output<typeof shownReason>;
