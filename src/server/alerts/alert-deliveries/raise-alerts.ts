// Puts alerts about a task into the queue, in the transaction that changes the task: so no alert is
// lost, and there is none about a change that was rolled back.

import type { AlertEvent, DeliveryEvent } from '#shared/alerts.ts';
import type { RunOutcome } from '#shared/api/run-results.ts';
import { listListening } from '../alert-channels/alert-channels.ts';
import type { Alert } from '#shared/api/alert-deliveries.ts';
import type { Context } from '../../context/context.ts';
import {
  findStatusTarget,
  findSubject,
  insertDeliveries,
  isAfterFailure,
  listAlertedMembers,
  type Subject,
} from './alert-deliveries.store.ts';

/** The changes of a task that cause alerts. */
export type Occasion = 'started' | 'failed' | 'succeeded' | 'waiting' | 'stopped';

interface Recipient {
  event: DeliveryEvent;
  recipient: string;
  channel_id: number | null;
  user_id: number | null;
  repository_id?: number;
}

/** Puts the alerts about a task into the queue. `readOutcome` reads what its run came to. */
export async function raiseAlerts(
  ctx: Context,
  taskId: number,
  what: Occasion,
  readOutcome: () => Promise<RunOutcome | null> = () => Promise.resolve(null),
): Promise<void> {
  const subject = await findSubject(ctx.db, taskId);
  if (!subject) return;
  const recipients = [
    ...(what === 'started' ? [] : await peopleFor(ctx, subject, what)),
    ...(await hostFor(ctx, subject, what)),
  ];
  if (recipients.length === 0) return;
  const now = ctx.clock.now().toISOString();
  const outcome = await readOutcome();
  const rows = recipients.map((one) => ({
    ...one,
    project_id: subject.projectId,
    task_id: subject.id,
    alert: alertOf(subject, one.event, now, outcome),
    status: 'pending' as const,
    created: now,
    next_try: now,
    answer_status: null,
    error: null,
    sent: null,
  }));
  await insertDeliveries(ctx.db, rows);
  ctx.hub.publish('changed', { projectId: subject.projectId, noun: 'alertDeliveries' });
  ctx.hub.publish('alerts', {});
}

type News = Exclude<Occasion, 'started'>;

const peopleFor = async (ctx: Context, subject: Subject, what: News): Promise<Recipient[]> => [
  ...(await channelsFor(ctx, subject, what)),
  ...(await membersFor(ctx, subject, what)),
  ...chatFor(ctx, subject, what),
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
async function channelsFor(ctx: Context, subject: Subject, what: News): Promise<Recipient[]> {
  const channels = await listListening(ctx.db, subject.projectId, subject.templateId);
  if (channels.length === 0) return [];
  const wanted: AlertEvent[] = [];
  if (what === 'succeeded' && (await isAfterFailure(ctx.db, subject.templateId, subject.id))) {
    wanted.push('recovered');
  }
  if (!isSilent(subject, what)) wanted.push(what);
  return channels.flatMap(({ id, events }) => {
    const event = wanted.find((one) => events.includes(one));
    return event ? [{ event, recipient: `channel:${id}`, channel_id: id, user_id: null }] : [];
  });
}

const isSilent = ({ isSuccessSilent }: Subject, what: News): boolean =>
  what === 'succeeded' && isSuccessSilent;

/** E-mail about failures to members who have alerts switched on. */
async function membersFor(
  { db, config }: Context,
  { alertsMembers, projectId }: Subject,
  what: News,
): Promise<Recipient[]> {
  if (what !== 'failed' || !alertsMembers || config.alerts.smtpUrl === null) return [];
  const ids = await listAlertedMembers(db, projectId);
  return ids.map((id) => ({
    event: what,
    recipient: `user:${id}`,
    channel_id: null,
    user_id: id,
  }));
}

/** An alert to the chat of the project, through the bot of the server. */
function chatFor({ config }: Context, subject: Subject, what: News): Recipient[] {
  if (!subject.alertsMembers || !subject.chat || config.alerts.telegramToken === null) return [];
  if ((what !== 'failed' && what !== 'succeeded') || isSilent(subject, what)) return [];
  return [{ event: what, recipient: 'chat', channel_id: null, user_id: null }];
}

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
      message: subject.message,
      user: subject.userName ?? username,
      version: subject.version ?? incomingVersion,
      duration: start && end ? Math.round((Date.parse(end) - Date.parse(start)) / 1000) : null,
      ...outcome,
    },
  };
}
