import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import { failureText } from '../../../alerts/alert.ts';
import type { Db } from '../../../db/open.ts';
import { findRow } from '../rows/tasks.store.ts';
import { findOutcome } from './task-hosts.store.ts';

/** One sentence: the first failure of a host, or the failure of the task itself; empty if unknown. */
export async function whyFailed(db: Db, taskId: number): Promise<string> {
  const [first] = (await findOutcome(db, taskId))?.failures ?? [];
  if (first) return failureText(first);
  const failure = (await findRow(db, taskId))?.failure;
  return failure ? taskFailures.message(JSON.parse(failure) as Failure) : '';
}
