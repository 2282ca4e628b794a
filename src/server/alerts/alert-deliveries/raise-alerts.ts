// Enqueues alerts about a task in the transaction of its change.

import type { AlertEvent, DeliveryEvent } from '#shared/alerts.ts';
import type { RunOutcome } from '#shared/api/run-results.ts';
import { isWithoutHosts } from '#shared/task-status.ts';
import { listListening } from '../alert-channels/alert-channels.ts';
import type { Alert, AlertRun } from '#shared/api/alert-deliveries.ts';
import type { Context } from '../../context/context.ts';
import type { ObjectRef } from '../../db/rights/object-rights.ts';
import { channelRecipients, chatOf, enqueue, mailTo, type Recipient } from './enqueue.ts';
import {
  findStatusTarget,
  findSubject,
  hasRecipients,
  isAfterFailure,
  type Subject,
  findRunSubject,
  isRunAfterFailure,
  type RunSubject,
} from './subjects.store.ts';

export type Occasion = 'started' | 'failed' | 'succeeded' | 'waiting' | 'stopped';

/** `readOutcome` reads the results of the run. */
export async function raiseAlerts(
  ctx: Context,
  taskId: number,
  occasion: Occasion,
  readOutcome: () => Promise<RunOutcome | null> = () => Promise.resolve(null),
): Promise<void> {
  // Most projects have no recipients, and the subject is large.
  const subject = (await hasRecipients(ctx.db, taskId)) && (await findSubject(ctx.db, taskId));
  if (!subject) return;
  const recipients = [
    ...(occasion === 'started' ? [] : await peopleFor(ctx, subject, occasion)),
    ...(await hostFor(ctx, subject, occasion)),
  ];
  if (recipients.length === 0) return;
  const now = ctx.clock.now().toISOString();
  const outcome = await readOutcome();
  const alerts = recipients.map((one) => ({
    ...one,
    alert: alertOf(subject, one.event, now, outcome),
  }));
  const about = { project_id: subject.projectId, task_id: subject.id, run_id: null };
  await enqueue(ctx, about, now, alerts);
}

const aboutTask = ({ templateId: id }: Subject): ObjectRef => ({ type: 'template', id });

const aboutRun = ({ workflowId: id }: RunSubject): ObjectRef => ({ type: 'workflow', id });

type AlertedOccasion = Exclude<Occasion, 'started'>;

const peopleFor = async (
  ctx: Context,
  subject: Subject,
  occasion: AlertedOccasion,
): Promise<Recipient[]> => [
  ...(await channelsFor(ctx, subject, occasion)),
  ...(occasion === 'failed'
    ? await mailTo(ctx, { ...subject, object: aboutTask(subject) }, occasion)
    : []),
  ...(isForChat(subject, occasion) ? chatOf(ctx, subject, occasion) : []),
];

/** The host of the repository, for a commit status. */
async function hostFor(
  { db }: Context,
  subject: Subject,
  occasion: Occasion,
): Promise<Recipient[]> {
  const { commitHash, projectId, snapshot } = subject;
  // A task that waits for a confirmation is pending for the host.
  if (commitHash === null || occasion === 'waiting') return [];
  const { id } = snapshot.repository;
  const target = await findStatusTarget(db, projectId, id);
  if (!target || target.host === '') return [];
  const to = { recipient: `repository:${id}`, repository_id: id };
  return [{ event: occasion, ...to, channel_id: null, user_id: null }];
}

/** `recovered` takes precedence over `succeeded`. */
async function channelsFor(
  ctx: Context,
  subject: Subject,
  occasion: AlertedOccasion,
): Promise<Recipient[]> {
  const channels = await listListening(ctx.db, subject.projectId, { template: subject.templateId });
  if (channels.length === 0) return [];
  const wanted: AlertEvent[] = [];
  const isWorking = occasion === 'succeeded' && !subject.isDryRun && subject.failure === null;
  if (isWorking && (await isAfterFailure(ctx.db, subject.templateId, subject.id))) {
    wanted.push('recovered');
  }
  if (!isSilent(subject, occasion)) wanted.push(occasion);
  return channelRecipients(channels, wanted);
}

const isSilent = ({ isSuccessSilent }: Subject, occasion: AlertedOccasion): boolean =>
  occasion === 'succeeded' && isSuccessSilent;

const isForChat = (subject: Subject, occasion: AlertedOccasion): boolean =>
  occasion === 'failed' || (occasion === 'succeeded' && !isSilent(subject, occasion));

function alertOf(
  subject: Subject,
  event: DeliveryEvent,
  time: string,
  outcome: RunOutcome | null,
): Alert {
  const { start, end, snapshot } = subject;
  const { incomingVersion, username } = snapshot;
  return {
    event,
    time,
    project: { id: subject.projectId, name: subject.projectName },
    task: {
      id: subject.id,
      template: { id: subject.templateId, name: subject.templateName },
      status: subject.status,
      dry_run: subject.isDryRun,
      ...(isWithoutHosts(subject) && { no_hosts: true }),
      message: subject.message,
      user: subject.userName ?? username,
      version: subject.version ?? incomingVersion,
      duration: start && end ? Math.round((Date.parse(end) - Date.parse(start)) / 1000) : null,
      ...outcome,
    },
  };
}

interface WaitingApproval {
  /** The key of its node, and the index of the node in the graph. */
  key: string;
  index: number;
  name: string;
  question: string;
  approvers: number[];
}

/**
 * Enqueues alerts in the transaction of the end of a run; the parent of a nested run reports its outcome.
 * `readFailures` reads the failed nodes.
 */
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
    ...(await runChannelsFor(ctx, run, isRecovered ? ['recovered', outcome] : [outcome])),
    ...(outcome === 'failed' ? await mailTo(ctx, { ...run, object: aboutRun(run) }, outcome) : []),
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
    ...(await runChannelsFor(ctx, run, ['waiting'])),
    ...(await mailTo(ctx, { ...run, object: aboutRun(run) }, 'waiting', approvers)),
  ];
  if (recipients.length === 0) return;
  // Several approvals of one run may wait at once.
  const placed = recipients.map((one) => ({ ...one, recipient: `${one.recipient}:${index}` }));
  const approval = { key, name, question };
  await enqueueRun(ctx, run, placed, { failed_nodes: [], approval });
}

async function runChannelsFor(
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
