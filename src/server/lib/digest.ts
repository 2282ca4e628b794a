import { createHash } from 'node:crypto';

/**
 * The hash of a random text that opens something. It is stored instead of the text, which nobody
 * can compute from it.
 */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
