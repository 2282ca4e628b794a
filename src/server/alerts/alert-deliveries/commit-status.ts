// Sends the state of a task as a commit status.

import type { TaskStatus } from '#shared/task-status.ts';
import type { Context } from '../../context/context.ts';
import { openLogin } from '../../resources/keys/keys.ts';
import { failureText, finalResult, linkOf, titleOf, type SendResult } from '../alert.ts';
import { ATTEMPT_TIMEOUT_MS, resultOf, sendRequest } from '../send.ts';
import { isKnownAlready, statusRequest, type CommitState } from '../status-hosts.ts';
import type { PlainDelivery } from './alert-deliveries.store.ts';
import { findStatusTarget, findSubject } from './subjects.store.ts';

const states: Partial<Record<TaskStatus, CommitState>> = {
  success: 'success',
  error: 'failure',
  stopped: 'stopped',
};

const words: Record<CommitState, string> = {
  pending: 'has started',
  success: 'succeeded',
  failure: 'failed',
  stopped: 'was stopped',
};

type Delivery = Pick<PlainDelivery, 'project_id' | 'task_id' | 'repository_id' | 'alert'>;

/** Sends the current state, so that a late attempt does not report an outdated one. */
export async function sendCommitStatus(
  ctx: Context,
  { project_id: projectId, task_id: taskId, repository_id: repositoryId, alert }: Delivery,
  how: { stop: AbortSignal; ms?: number },
): Promise<SendResult> {
  const subject = await findSubject(ctx.db, taskId);
  const target = await findStatusTarget(ctx.db, projectId, repositoryId ?? 0);
  if (!subject?.commitHash || !target || target.host === '') {
    return finalResult(null, 'recipient_gone');
  }
  const login = target.keyId === null ? null : await openLogin(ctx, projectId, target.keyId);
  if (!login) return finalResult(null, 'no_token');
  const { host, url } = target;
  const state = states[subject.status] ?? 'pending';
  const [reason] = state === 'failure' ? (alert.task?.failures ?? []) : [];
  const outcome = reason ? `${words[state]}: ${failureText(reason)}` : words[state];
  const request = statusRequest(host, {
    url,
    token: login.password,
    commit: subject.commitHash,
    state,
    // Dry runs have their own context, so that they do not replace the status of real runs.
    name: subject.isDryRun ? `${subject.templateName} (dry run)` : subject.templateName,
    description: titleOf(alert, outcome),
    link: linkOf(alert, ctx.config.publicUrl),
  });
  if (!request) return finalResult(null, 'no_token');
  return sendRequest(ctx.config, request, { ms: ATTEMPT_TIMEOUT_MS, ...how }, (answer) =>
    isKnownAlready(host, answer) ? finalResult(answer.status, null) : resultOf(answer),
  );
}
