// The noun that a file of the server is about.

import { posix } from 'node:path';

/**
 * Nouns with rooms inside. The rooms part the files by concern; stores, use cases and routes in them
 * belong to the noun, and so to no other one.
 */
const partedNouns = ['src/server/automation/tasks', 'src/server/automation/workflows'];

/** The innermost folder, in whatever group it lies; of a parted noun its own folder. */
export const nounOf = (path: string): string =>
  posix.basename(
    partedNouns.find((folder) => path.startsWith(`${folder}/`)) ?? posix.dirname(path),
  );
