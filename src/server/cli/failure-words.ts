// The message for a command that fails for a reason outside the program.

import { ConfigError } from '../../runner/system/config.ts';
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
  // An error of the system, such as a file that cannot be read or an address that does not answer.
  return syscall === undefined ? null : `The system refuses: ${error.message}.`;
}
