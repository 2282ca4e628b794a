// Enqueues alerts about a workflow run in the transaction of its end or of an approval. A nested run raises
// alerts of approvals only; its parent reports the outcome.

import type { AlertEvent } from '#shared/alerts.ts';
import type { AlertRun } from '#shared/api/alert-deliveries.ts';
import type { Context } from '../../context/context.ts';
import { listListening } from '../alert-channels/alert-channels.ts';
import { channelRecipients, chatOf, enqueue, mailTo, type Recipient } from './enqueue.ts';
import { findRunSubject, isRunAfterFailure, type RunSubject } from './run-subjects.store.ts';

interface WaitingApproval {
  /** The key of its node, and the index of the node in the graph. */
  key: string;
  index: number;
  name: string;
  question: string;
  approvers: number[];
}

/** `readFailures` reads the failed nodes. */
export async function raiseRunEnd(
  ctx: Context,
  runId: number,
  outcome: 'failed' | 'succeeded' | 'stopped',
  readFailures: () => Promise<AlertRun['failed_nodes']>,
): Promise<void> {
  const run = await findRunSubject(ctx.db, runId);
  if (!run || run.parentRunId !== null) return;
  const isRecovered = outcome === 'succeeded' && (await isRunAfterFailure(ctx.db, run));
  const recipients = [
    ...(await channelsFor(ctx, run, isRecovered ? ['recovered', outcome] : [outcome])),
    ...(outcome === 'failed' ? await mailTo(ctx, run, outcome) : []),
    ...(outcome === 'stopped' ? [] : chatOf(ctx, run, outcome)),
  ];
  if (recipients.length === 0) return;
  const failed_nodes = outcome === 'failed' ? await readFailures() : [];
  await enqueueRun(ctx, run, recipients, { failed_nodes, approval: null });
}

export async function raiseApproval(
  ctx: Context,
  runId: number,
  { key, index, name, question, approvers }: WaitingApproval,
): Promise<void> {
  const run = await findRunSubject(ctx.db, runId);
  if (!run) return;
  const recipients = [
    ...(await channelsFor(ctx, run, ['waiting'])),
    ...(await mailTo(ctx, run, 'waiting', approvers)),
  ];
  if (recipients.length === 0) return;
  // Several approvals of one run may wait at once.
  const placed = recipients.map((one) => ({ ...one, recipient: `${one.recipient}:${index}` }));
  const approval = { key, name, question };
  await enqueueRun(ctx, run, placed, { failed_nodes: [], approval });
}

async function channelsFor(
  { db }: Context,
  { projectId, workflowId }: RunSubject,
  wanted: AlertEvent[],
): Promise<Recipient[]> {
  const channels = await listListening(db, projectId, { workflow: workflowId });
  return channelRecipients(channels, wanted);
}

async function enqueueRun(
  ctx: Context,
  run: RunSubject,
  recipients: Recipient[],
  details: Pick<AlertRun, 'failed_nodes' | 'approval'>,
): Promise<void> {
  const now = ctx.clock.now().toISOString();
  const { projectId, created, end } = run;
  const workflow_run: AlertRun = {
    id: run.id,
    workflow: { id: run.workflowId, name: run.name },
    status: run.status,
    message: run.message,
    user: run.userName ?? run.username,
    duration: end === null ? null : Math.round((Date.parse(end) - Date.parse(created)) / 1000),
    ...details,
  };
  const project = { id: projectId, name: run.projectName };
  const alerts = recipients.map((one) => ({
    ...one,
    alert: { event: one.event, time: now, project, task: null, workflow_run },
  }));
  const about = { project_id: projectId, task_id: -run.id, run_id: run.id };
  await enqueue(ctx, about, now, alerts);
}
