// Separates permanent errors from transient ones: a database that fails over, is read-only, locked, full or
// busy. Only permanent errors may end work outside of the database, such as the program of a task.

import { AppError, Unusable } from '../lib/errors.ts';
import { isUnreachable } from './unreachable.ts';

// SQLSTATE classes: data exception, constraint violation, program limit exceeded.
const ofValues = /^(?:22|23|54)[0-9A-Z]{3}$/;
const ofValuesInSqlite = /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG|RANGE)/;
/** Bugs, which have no error code. */
const mistakes = [TypeError, RangeError, SyntaxError, ReferenceError];

/** Whether an error is permanent. Unknown errors are transient: a vain retry costs less than ending work. */
export function isLasting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AppError || error instanceof Unusable) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return ofValues.test(code) || ofValuesInSqlite.test(code);
  if (error.name === 'ZodError' || mistakes.some((mistake) => error instanceof mistake))
    return true;
  return error.cause !== undefined && isLasting(error.cause);
}

/** Syntax or access rule violation, except insufficient privilege (42501). */
const ofStatements = /^(?:42(?!501)[0-9A-Z]{3}|SQLITE_ERROR)$/;

/** Whether a retry without side effects may succeed: not for a wrong statement. */
export function isPassing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return !isLasting(error) && !(typeof code === 'string' && ofStatements.test(code));
}

// No SQLSTATE begins with E, unlike system error codes.
const ofDatabase = /^(?:SQLITE_\w+|(?!E)[0-9A-Z]{5})$/;

/** Whether the error is of the database. */
export function isOfDatabase(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return isUnreachable(error) || (typeof code === 'string' && ofDatabase.test(code));
}

// Read-only, serialization failure, deadlock, lock, timeout, insufficient resources, system error.
const ofTheMoment =
  /^(?:25006|40001|40P01|55P03|57014|53[0-9A-Z]{3}|58[0-9A-Z]{3}|SQLITE_(?:BUSY|LOCKED|IOERR)\w*)$/;

/** Whether the database is unreachable or temporarily unavailable. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return isUnreachable(error) || (typeof code === 'string' && ofTheMoment.test(code));
}

/** A message without the values of the statement. */
export function shortReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `${error.message} (${code})` : error.message;
}
