// Enqueues alerts about a task in the transaction of its change.

import type { AlertEvent, DeliveryEvent } from '#shared/alerts.ts';
import type { RunOutcome } from '#shared/api/run-results.ts';
import { isWithoutHosts } from '#shared/task-status.ts';
import { listListening } from '../alert-channels/alert-channels.ts';
import type { Alert } from '#shared/api/alert-deliveries.ts';
import type { Context } from '../../context/context.ts';
import { channelRecipients, chatOf, enqueue, mailTo, type Recipient } from './enqueue.ts';
import {
  findStatusTarget,
  findSubject,
  hasRecipients,
  isAfterFailure,
  type Subject,
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

type AlertedOccasion = Exclude<Occasion, 'started'>;

const peopleFor = async (
  ctx: Context,
  subject: Subject,
  occasion: AlertedOccasion,
): Promise<Recipient[]> => [
  ...(await channelsFor(ctx, subject, occasion)),
  ...(occasion === 'failed' ? await mailTo(ctx, subject, occasion) : []),
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
