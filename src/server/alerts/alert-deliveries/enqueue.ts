// Enqueues alerts in the transaction of the change that causes them.

import type { AlertEvent, DeliveryEvent } from '#shared/alerts.ts';
import type { Alert } from '#shared/api/alert-deliveries.ts';
import type { Context } from '../../context/context.ts';
import type { ObjectRef } from '../../db/rights/object-rights.ts';
import { listWhoSee } from '../../db/rights/who-sees.store.ts';
import { insertDeliveries, listAlertedMembers } from './alert-deliveries.store.ts';

export interface Recipient {
  event: DeliveryEvent;
  recipient: string;
  channel_id: number | null;
  user_id: number | null;
  repository_id?: number;
}

export interface Addressed extends Recipient {
  alert: Alert;
}

/** The subject of alerts: a task or a workflow run. */
export interface About {
  project_id: number;
  /** The negative id of a workflow run. */
  task_id: number;
  run_id: number | null;
}

export async function enqueue(
  ctx: Context,
  about: About,
  now: string,
  alerts: Addressed[],
): Promise<void> {
  const rows = alerts.map((one) => ({
    ...one,
    ...about,
    status: 'pending' as const,
    created: now,
    next_try: now,
    answer_status: null,
    error: null,
    sent: null,
  }));
  await insertDeliveries(ctx.db, rows);
  ctx.hub.publish('resource.changed', { projectId: about.project_id, noun: 'alertDeliveries' });
  ctx.hub.publish('alert.added', {});
}

/** Each channel receives one alert: the first of the wanted events that it listens to. */
export const channelRecipients = (
  channels: { id: number; events: AlertEvent[] }[],
  wanted: AlertEvent[],
): Recipient[] =>
  channels.flatMap(({ id, events }) => {
    const event = wanted.find((one) => events.includes(one));
    return event ? [{ event, recipient: `channel:${id}`, channel_id: id, user_id: null }] : [];
  });

/** The alert settings of a project, and what an alert is about. */
interface Alerting {
  projectId: number;
  object: ObjectRef;
  alertsMembers: boolean;
  chat: string | null;
}

/** To members who see what the alert is about; `only` restricts them further. */
export async function mailTo(
  { db, config }: Context,
  { alertsMembers, projectId, object }: Alerting,
  event: DeliveryEvent,
  only?: readonly number[],
): Promise<Recipient[]> {
  if (!alertsMembers || config.alerts.smtpUrl === null) return [];
  const members = await listAlertedMembers(db, projectId);
  const wanted = only ? members.filter((id) => only.includes(id)) : members;
  const ids = await listWhoSee(db, projectId, object, wanted);
  return ids.map((id) => ({ event, recipient: `user:${id}`, channel_id: null, user_id: id }));
}

/** Sent by the server's bot. */
export function chatOf(
  { config }: Context,
  { alertsMembers, chat }: Omit<Alerting, 'object'>,
  event: DeliveryEvent,
): Recipient[] {
  if (!alertsMembers || !chat || config.alerts.telegramToken === null) return [];
  return [{ event, recipient: 'chat', channel_id: null, user_id: null }];
}
