import { createHash } from 'node:crypto';

/** What is kept of a random text that opens something: nobody finds the text by it. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
