// Puts alerts about a task into the queue, in the transaction that changes the task: so no alert is
// lost, and there is none about a change that was rolled back.

import type { AlertEvent, DeliveryEvent } from '#shared/alerts.ts';
import type { RunOutcome } from '#shared/api/run-results.ts';
import { isWithoutHosts } from '#shared/task-status.ts';
import { listListening } from '../alert-channels/alert-channels.ts';
import type { Alert } from '#shared/api/alert-deliveries.ts';
import type { Context } from '../../context/context.ts';
import { chatOf, enqueue, mailTo, type Recipient } from './enqueue.ts';
import {
  findStatusTarget,
  findSubject,
  hasRecipients,
  isAfterFailure,
  type Subject,
} from './subjects.store.ts';

/** The changes of a task that cause alerts. */
export type Occasion = 'started' | 'failed' | 'succeeded' | 'waiting' | 'stopped';

/** Puts the alerts about a task into the queue. `readOutcome` reads what its run came to. */
export async function raiseAlerts(
  ctx: Context,
  taskId: number,
  what: Occasion,
  readOutcome: () => Promise<RunOutcome | null> = () => Promise.resolve(null),
): Promise<void> {
  // Most projects have none, and the facts of a task are long.
  const subject = (await hasRecipients(ctx.db, taskId)) && (await findSubject(ctx.db, taskId));
  if (!subject) return;
  const recipients = [
    ...(what === 'started' ? [] : await peopleFor(ctx, subject, what)),
    ...(await hostFor(ctx, subject, what)),
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
  what: AlertedOccasion,
): Promise<Recipient[]> => [
  ...(await channelsFor(ctx, subject, what)),
  ...(what === 'failed' ? await mailTo(ctx, subject, what) : []),
  ...(isForChat(subject, what) ? chatOf(ctx, subject, what) : []),
];

/** The host of the repository, which shows the state of the task beside its commit. */
async function hostFor({ db }: Context, subject: Subject, what: Occasion): Promise<Recipient[]> {
  const { commitHash, projectId, snapshot } = subject;
  // To the host, a task that waits for a confirmation is still going on.
  if (commitHash === null || what === 'waiting') return [];
  const { id } = snapshot.repository;
  const target = await findStatusTarget(db, projectId, id);
  if (!target || target.host === '') return [];
  const to = { recipient: `repository:${id}`, repository_id: id };
  return [{ event: what, ...to, channel_id: null, user_id: null }];
}

/** The event for a channel, which gets one alert for each task: `recovered` goes before `succeeded`. */
async function channelsFor(
  ctx: Context,
  subject: Subject,
  what: AlertedOccasion,
): Promise<Recipient[]> {
  const channels = await listListening(ctx.db, subject.projectId, { template: subject.templateId });
  if (channels.length === 0) return [];
  const wanted: AlertEvent[] = [];
  const isWorking = what === 'succeeded' && !subject.isDryRun && subject.failure === null;
  if (isWorking && (await isAfterFailure(ctx.db, subject.templateId, subject.id))) {
    wanted.push('recovered');
  }
  if (!isSilent(subject, what)) wanted.push(what);
  return channels.flatMap(({ id, events }) => {
    const event = wanted.find((one) => events.includes(one));
    return event ? [{ event, recipient: `channel:${id}`, channel_id: id, user_id: null }] : [];
  });
}

const isSilent = ({ isSuccessSilent }: Subject, what: AlertedOccasion): boolean =>
  what === 'succeeded' && isSuccessSilent;

const isForChat = (subject: Subject, what: AlertedOccasion): boolean =>
  what === 'failed' || (what === 'succeeded' && !isSilent(subject, what));

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
