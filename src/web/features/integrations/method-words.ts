import type { AuthMethod } from '#shared/api/integrations.ts';

/** The words of a method: the empty one has no name of its own. */
export const methodWords = (method: AuthMethod) => method || 'none';
