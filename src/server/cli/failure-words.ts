// What a person is told when a command fails for a reason that lies outside the program.

import { ConfigError } from '../../runner/system/config.ts';
import { AppError } from '../lib/errors.ts';
import { UsageError } from './surroundings.ts';

/** Null: a bug, which is to be seen in full. */
export function failureWords(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof AppError) {
    const [field] = error.fields;
    return field ? `${field.path}: ${field.message}` : error.message;
  }
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS');
  if (isUsage || error instanceof ConfigError) return error.message;
  // Of the system: a file that cannot be read, an address that does not answer.
  return syscall === undefined ? null : `The system refuses: ${error.message}.`;
}
