// Tells errors that come again however often something is tried from those that pass: a database that
// fails over, is read-only, locked, full or busy. Only the former may end what goes on outside of the
// database, such as the program of a task.

import { AppError, Unusable } from '../lib/errors.ts';
import { isUnreachable } from './unreachable.ts';

// Classes of PostgreSQL's codes: a wrong value, a broken constraint, a limit of the program.
const ofValues = /^(?:22|23|54)[0-9A-Z]{3}$/;
const ofValuesInSqlite = /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG|RANGE)/;
/** Mistakes of the code itself, which have no code of a system or a database. */
const mistakes = [TypeError, RangeError, SyntaxError, ReferenceError];

/**
 * Whether an error lies in what is to be done or stored. Of an error that nobody knows this is false:
 * waiting for nothing is noticed and costs less than ending what works.
 */
export function isLasting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AppError || error instanceof Unusable) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return ofValues.test(code) || ofValuesInSqlite.test(code);
  if (error.name === 'ZodError' || mistakes.some((mistake) => error instanceof mistake))
    return true;
  return error.cause !== undefined && isLasting(error.cause);
}

/** A statement that the tables do not fit; a missing permission (42501) may be given. */
const ofStatements = /^(?:42(?!501)[0-9A-Z]{3}|SQLITE_ERROR)$/;

/** Whether something may succeed later that costs nothing else meanwhile: not if a statement is wrong. */
export function isPassing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return !isLasting(error) && !(typeof code === 'string' && ofStatements.test(code));
}

// No class of PostgreSQL begins with an E, as the codes of systems do.
const ofDatabase = /^(?:SQLITE_\w+|(?!E)[0-9A-Z]{5})$/;

/** Whether the database has failed, for whatever reason. */
export function isOfDatabase(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return isUnreachable(error) || (typeof code === 'string' && ofDatabase.test(code));
}

// Read-only, a conflict, a lock, a time limit, no resources, and errors of the system below.
const ofTheMoment =
  /^(?:25006|40001|40P01|55P03|57014|53[0-9A-Z]{3}|58[0-9A-Z]{3}|SQLITE_(?:BUSY|LOCKED|IOERR)\w*)$/;

/** Whether the database cannot be reached, or cannot do at the moment what it was asked. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return isUnreachable(error) || (typeof code === 'string' && ofTheMoment.test(code));
}

/** What may be logged of an error without the values of its statement. */
export function shortReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `${error.message} (${code})` : error.message;
}
