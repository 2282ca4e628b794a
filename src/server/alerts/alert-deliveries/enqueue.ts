// Puts alerts into the queue, in the transaction of the change that they are about.

import type { DeliveryEvent } from '#shared/alerts.ts';
import type { Alert } from '#shared/api/alert-deliveries.ts';
import type { Context } from '../../context/context.ts';
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

/** What alerts are about: a task, or a run of a workflow. */
export interface About {
  project_id: number;
  /** For a run its negative id. */
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

/** What a project says about its alerts. */
interface Alerting {
  projectId: number;
  alertsMembers: boolean;
  chat: string | null;
}

/** E-mail to the members who have alerts switched on; `only` limits it to some of them. */
export async function mailTo(
  { db, config }: Context,
  { alertsMembers, projectId }: Alerting,
  event: DeliveryEvent,
  only?: readonly number[],
): Promise<Recipient[]> {
  if (!alertsMembers || config.alerts.smtpUrl === null) return [];
  const members = await listAlertedMembers(db, projectId);
  const ids = only ? members.filter((id) => only.includes(id)) : members;
  return ids.map((id) => ({ event, recipient: `user:${id}`, channel_id: null, user_id: id }));
}

/** An alert to the chat of the project, through the bot of the server. */
export function chatOf(
  { config }: Context,
  { alertsMembers, chat }: Alerting,
  event: DeliveryEvent,
): Recipient[] {
  if (!alertsMembers || !chat || config.alerts.telegramToken === null) return [];
  return [{ event, recipient: 'chat', channel_id: null, user_id: null }];
}
