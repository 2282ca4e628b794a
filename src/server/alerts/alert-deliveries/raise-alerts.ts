// Puts alerts about a task into the queue, in the transaction that changes the task: so no alert is
// lost, and there is none about a change that was rolled back.

import type { AlertEvent } from '#shared/alerts.ts';
import { listListening } from '../alert-channels/alert-channels.ts';
import type { Alert } from '../alert.ts';
import type { Context } from '../../context/context.ts';
import {
  findSubject,
  insertDeliveries,
  isAfterFailure,
  listAlertedMembers,
  type Subject,
} from './alert-deliveries.store.ts';

/** The changes of a task that cause alerts. */
export type Occasion = 'failed' | 'succeeded' | 'waiting' | 'stopped';

interface Recipient {
  event: AlertEvent;
  recipient: string;
  channel_id: number | null;
  user_id: number | null;
}

/** Puts the alerts about a task into the queue. */
export async function raiseAlerts(ctx: Context, taskId: number, what: Occasion): Promise<void> {
  const subject = await findSubject(ctx.db, taskId);
  if (!subject) return;
  const recipients = [
    ...(await channelsFor(ctx, subject, what)),
    ...(await membersFor(ctx, subject, what)),
    ...chatFor(ctx, subject, what),
  ];
  if (recipients.length === 0) return;
  const now = ctx.clock.now().toISOString();
  const rows = recipients.map((one) => ({
    ...one,
    project_id: subject.projectId,
    task_id: subject.id,
    alert: JSON.stringify(alertOf(subject, one.event, now)),
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

/** The event for a channel, which gets one alert for each task: `recovered` goes before `succeeded`. */
async function channelsFor(ctx: Context, subject: Subject, what: Occasion): Promise<Recipient[]> {
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

const isSilent = ({ isSuccessSilent }: Subject, what: Occasion): boolean =>
  what === 'succeeded' && isSuccessSilent;

/** E-mail about failures to members who have alerts switched on. */
async function membersFor(
  { db, config }: Context,
  { alertsMembers, projectId }: Subject,
  what: Occasion,
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
function chatFor({ config }: Context, subject: Subject, what: Occasion): Recipient[] {
  if (!subject.alertsMembers || !subject.chat || config.alerts.telegramToken === null) return [];
  if ((what !== 'failed' && what !== 'succeeded') || isSilent(subject, what)) return [];
  return [{ event: what, recipient: 'chat', channel_id: null, user_id: null }];
}

function alertOf(subject: Subject, event: AlertEvent, time: string): Alert {
  const { start, end, snapshot } = subject;
  const { incomingVersion, username } = JSON.parse(snapshot) as {
    incomingVersion: string | null;
    username: string;
  };
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
    },
  };
}
