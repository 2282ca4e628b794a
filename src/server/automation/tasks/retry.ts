// A task that fails is tried again, if its template says so: as a new task, since a finished one
// never changes. It waits with a time before which the queue leaves it alone.

import { plansFirst } from '#shared/apps.ts';
import type { Context } from '../../context/context.ts';
import type { Row } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { sealInto } from '../../vault/sealed-texts.ts';
import { countLaunch } from '../templates/templates.ts';
import { insertTask, toPlainRow } from './tasks.store.ts';

const longestDelay = 3600;

/** Seconds between the end of this attempt and the next one. */
export const retryDelay = (firstDelay: number, attempt: number): number =>
  Math.min(firstDelay * 2 ** (attempt - 1), longestDelay);

/** Whether a task that fails is not tried again. */
export const isLastAttempt = ({
  attempt,
  attempts,
}: Pick<Row<'tasks'>, 'attempt' | 'attempts'>): boolean => attempt >= attempts;

/**
 * Launches the next attempt of a failed task: exactly once, in the transaction that ends it. It
 * runs the same in the same way: the commit too, if the task got that far, and the sealed answers,
 * which the end wipes from the failed task. A confirmation before the first
 * command was given for all of this and holds.
 */
export async function tryAgain(ctx: Context, failed: Row<'tasks'>): Promise<void> {
  const { id, attempt, project_id: projectId, template_id: templateId } = failed;
  if (isLastAttempt(failed)) return;
  const { id: _id, ...same } = toPlainRow(failed);
  const { snapshot } = same;
  const now = ctx.clock.now();
  const notBefore = now.getTime() + retryDelay(snapshot.retryDelayS, attempt) * 1000;
  const answers = openedAnswers(ctx, failed);
  await countLaunch(ctx.db, projectId, templateId);
  const taskId = await insertTask(ctx.db, {
    ...same,
    secret: answers === null ? failed.secret : null,
    status: 'waiting',
    created: now.toISOString(),
    start: null,
    end: null,
    version: null,
    commit_hash: null,
    commit_message: '',
    snapshot: { ...snapshot, commit: failed.commit_hash ?? snapshot.commit },
    log_lines: 0,
    spool_offset: 0,
    step: 0,
    runner_id: null,
    lease: 0,
    progress: null,
    hosts: null,
    commands: [],
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
  ctx.hub.publish('task', { projectId, taskId });
}

/**
 * The answers to secret variables, which are to be sealed for the row of the next attempt. Null:
 * there are none, or their text does not open, which must not keep the task from ending: the next
 * attempt fails as this one did, and says so.
 */
function openedAnswers({ vault }: Context, failed: Row<'tasks'>): string | null {
  try {
    return failed.secret && vault.open(failed.secret, sealedColumns.answers.at(failed));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
