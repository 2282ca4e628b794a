// Puts alerts about a run of a workflow into the queue, in the transaction that ends the run or begins
// an approval. A run that is a node of another one tells of its approvals only: the run above tells the
// outcome.

import type { AlertEvent } from '#shared/alerts.ts';
import type { AlertRun } from '#shared/api/alert-deliveries.ts';
import type { Context } from '../../context/context.ts';
import { listListening } from '../alert-channels/alert-channels.ts';
import { chatOf, enqueue, mailTo, type Recipient } from './enqueue.ts';
import { findRunSubject, isRunAfterFailure, type RunSubject } from './run-subjects.store.ts';

interface WaitingApproval {
  /** The key of its node, and the place of the node in the graph. */
  key: string;
  index: number;
  name: string;
  question: string;
  /** The ids of the users who may decide it. */
  approvers: number[];
}

/** Puts the alerts about the end of a run into the queue. `readFailures` reads which nodes failed. */
export async function raiseRunEnd(
  ctx: Context,
  runId: number,
  what: 'failed' | 'succeeded' | 'stopped',
  readFailures: () => Promise<AlertRun['failed_nodes']>,
): Promise<void> {
  const run = await findRunSubject(ctx.db, runId);
  if (!run || run.parentRunId !== null) return;
  const isRecovered = what === 'succeeded' && (await isRunAfterFailure(ctx.db, run));
  const recipients = [
    ...(await channelsFor(ctx, run, isRecovered ? ['recovered', what] : [what])),
    ...(what === 'failed' ? await mailTo(ctx, run, what) : []),
    ...(what === 'stopped' ? [] : chatOf(ctx, run, what)),
  ];
  if (recipients.length === 0) return;
  const failed_nodes = what === 'failed' ? await readFailures() : [];
  await put(ctx, run, recipients, { failed_nodes, approval: null });
}

/** Puts the alerts about an approval that begins to wait into the queue. */
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
  // Several approvals of one run may begin to wait.
  const placed = recipients.map((one) => ({ ...one, recipient: `${one.recipient}:${index}` }));
  const approval = { key, name, question };
  await put(ctx, run, placed, { failed_nodes: [], approval });
}

/** A channel gets one alert: that of the first of these events that it wants. */
async function channelsFor(
  { db }: Context,
  { projectId, workflowId }: RunSubject,
  wanted: AlertEvent[],
): Promise<Recipient[]> {
  const channels = await listListening(db, projectId, { workflow: workflowId });
  return channels.flatMap(({ id, events }) => {
    const event = wanted.find((one) => events.includes(one));
    return event ? [{ event, recipient: `channel:${id}`, channel_id: id, user_id: null }] : [];
  });
}

async function put(
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
