import { z } from 'zod';
import { failureCodes } from '../words/task-failures.ts';

/** The reason of a failure, as a code with its parameters. */
export const failure = z.object({
  code: z.enum(failureCodes),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
/** The same with the English sentence. */
export const taskFailure = failure.extend({ text: z.string() });
export type TaskFailure = z.output<typeof taskFailure>;
