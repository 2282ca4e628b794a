import { z } from 'zod';
import { confirmationCodes } from '../words/confirmation-reasons.ts';

/** Why a plan has to be confirmed whatever approves it otherwise, as a code with its parameters. */
export const confirmationReason = z.object({
  code: z.enum(confirmationCodes),
  params: z.record(z.string().max(100), z.union([z.string().max(2000), z.number()])),
});
/** The same with the English sentence. */
export const shownReason = confirmationReason.extend({ text: z.string() });
export type ShownReason = z.output<typeof shownReason>;
