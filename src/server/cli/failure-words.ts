// Error messages for failures outside the program.

import { fullDisk } from '../../node/fs/disk-full.ts';
import { ConfigError } from '../../node/config-error.ts';
import { AppError } from '../lib/errors.ts';
import { UsageError } from './surroundings.ts';

/** Null for a bug, which is printed in full. */
export function failureWords(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof AppError) {
    const [field] = error.fields;
    return field ? `${field.path}: ${field.message}` : error.message;
  }
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS');
  if (isUsage || error instanceof ConfigError) return error.message;
  const full = fullDisk(error);
  if (full === 'folder') return 'The disk is full. Make room, and run the command again.';
  if (full === 'database') return 'The disk of the PostgreSQL server is full. Make room there.';
  // A system error, such as an unreadable file or an unreachable address.
  return syscall === undefined ? null : `The system refuses: ${error.message}.`;
}
