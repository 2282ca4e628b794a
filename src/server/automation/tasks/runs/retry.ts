// Retries failed tasks of templates with retries: as new tasks, since a finished one never changes.

import { plansFirst } from '#shared/apps.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { Context } from '../../../context/context.ts';
import type { Row } from '../../../db/tables.ts';
import { AppError } from '../../../lib/errors.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import { sealInto } from '../../../vault/sealed-texts.ts';
import { countLaunch } from '../../templates/templates.ts';
import { listHosts } from '../results/task-hosts.store.ts';
import { findRow, insertTask } from '../rows/tasks.store.ts';
import { wipeSecret } from './run.store.ts';
import { canConfine, confine, isOfGroup, repeated } from './repeat.ts';

const MAX_RETRY_DELAY = 3600;

/** Seconds between the end of this attempt and the next one: exponential backoff. */
export const retryDelay = (firstDelay: number, attempt: number): number =>
  Math.min(firstDelay * 2 ** (attempt - 1), MAX_RETRY_DELAY);

export const isLastAttempt = ({
  attempt,
  attempts,
}: Pick<Row<'tasks'>, 'attempt' | 'attempts'>): boolean => attempt >= attempts;

/** Launches the next attempt of a failed task; returns its id. Null: there is no further attempt. */
export async function retryFailed(
  ctx: Context,
  { id, status }: Pick<Task, 'id' | 'status'>,
): Promise<number | null> {
  const failed = status === 'error' ? await findRow(ctx.db, id) : null;
  const nextId = failed && (await launchAttempt(ctx, failed));
  if (failed?.secret) await wipeSecret(ctx.db, id);
  return nextId;
}

/**
 * Launches the next attempt of a failed task, with its snapshot, commit and sealed answers, which are then
 * wiped from the failed task. A confirmation before the first command stays valid.
 */
async function launchAttempt(ctx: Context, failed: Row<'tasks'>): Promise<number | null> {
  const { id, attempt, project_id: projectId, template_id: templateId } = failed;
  if (isLastAttempt(failed)) return null;
  const now = ctx.clock.now();
  const same = repeated(failed, now);
  const { snapshot } = same;
  const notBefore = now.getTime() + retryDelay(snapshot.retryDelayS, attempt) * 1000;
  const answers = openedAnswers(ctx, failed);
  await countLaunch(ctx.db, projectId, templateId);
  const taskId = await insertTask(ctx.db, {
    ...same,
    ...(snapshot.retryFailedHosts && (await onFailedHosts(ctx, id, snapshot))),
    secret: answers === null ? failed.secret : null,
    // The next plan may be another than the one that was confirmed.
    ...(plansFirst(snapshot.app) && { confirmed_by: null, confirmed_at: null }),
    retry_of: failed.retry_of ?? id,
    attempt: attempt + 1,
    not_before: new Date(notBefore).toISOString(),
  });
  if (answers !== null) {
    const next = { id: taskId, project_id: projectId };
    await sealInto(ctx, sealedColumns.answers, next, answers);
  }
  ctx.hub.publish('task.changed', { projectId, taskId });
  ctx.hub.publish('queue.changed', {});
  return taskId;
}

/** Confines the next attempt to the hosts on which this one failed, if there are any. */
async function onFailedHosts({ db }: Context, taskId: number, snapshot: TaskSnapshot) {
  const hosts = await listHosts(db, taskId);
  const failed = hosts.filter(isOfGroup.failed_or_unreachable).map(({ host }) => host);
  return canConfine(snapshot, failed) ? confine(snapshot, failed) : {};
}

/**
 * The answers to secret variables, to be sealed for the row of the next attempt. Null: there are none, or
 * they cannot be decrypted, which must not fail this transaction: the next attempt reports it.
 */
function openedAnswers({ vault }: Context, failed: Row<'tasks'>): string | null {
  try {
    return failed.secret && vault.open(failed.secret, sealedColumns.answers.at(failed));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
