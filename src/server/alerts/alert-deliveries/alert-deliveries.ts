// The queue of alerts and their results. Each alert is sent at least once: when the server stops after
// it has sent an alert and before it has recorded that, the alert is sent again with the same id.

import { alertErrors } from '#shared/catalogue/alert-errors.ts';
import type { AlertDelivery } from '#shared/api/alert-deliveries.ts';
import { openChannel, requireChannel } from '../alert-channels/alert-channels.ts';
import type { SendResult } from '../alert.ts';
import type { AlertTarget } from '../send.ts';
import type { Context } from '../../context/context.ts';
import { deleteInPieces } from '../../lib/delete-in-pieces.ts';
import { fail } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { readPage, type Page } from '../../lib/page.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  deleteBefore,
  findChat,
  findDelivery,
  findMemberAddress,
  findNextDue,
  listDeliveries,
  listDue,
  restart,
  takeDelivery,
  updateOutcome,
  type DeliveryFilter,
  type DeliveryRow,
  type Outcome,
  type PlainDelivery,
  dropPending,
} from './alert-deliveries.store.ts';

// The default length of a list.
const usual = 200;

export async function getDeliveries(
  ctx: Context,
  projectId: number,
  { limit = usual, ...filter }: Omit<DeliveryFilter, 'limit'> & { limit?: number | undefined },
): Promise<Page<AlertDelivery>> {
  const { channelId } = filter;
  if (channelId !== undefined) await requireChannel(ctx, projectId, channelId);
  const read = (count: number) => listDeliveries(ctx.db, projectId, { ...filter, limit: count });
  const page = await readPage(limit, read);
  return { ...page, items: page.items.map(toDelivery) };
}

function toDelivery({ alert, error, ...row }: DeliveryRow): AlertDelivery {
  return {
    ...row,
    task_id: row.run_id === null ? row.task_id : null,
    template_id: alert.task?.template.id ?? null,
    template_name: alert.task?.template.name ?? '',
    workflow_id: alert.workflow_run?.workflow.id ?? null,
    workflow_name: alert.workflow_run?.workflow.name ?? '',
    error: error && alertErrors.text(error),
    error_code: error,
  };
}

/** Puts an alert that has failed into the queue again. */
export async function retryDelivery(ctx: Context, projectId: number, id: number): Promise<void> {
  const delivery = await findDelivery(ctx.db, projectId, id);
  if (!delivery) throw fail('alert_delivery.not_found');
  const { status } = delivery;
  await inTransaction(ctx, async (inner) => {
    const isRestarted = await restart(inner.db, id, ctx.clock.now().toISOString());
    if (!isRestarted) throw fail('alert_delivery.not_failed', { status });
    await record(inner, { projectId, ...retryOf(delivery) });
    inner.hub.publish('resource.changed', { projectId, noun: 'alertDeliveries' });
    inner.hub.publish('alert.added', {});
  });
}

function retryOf({ task_id: task, run_id: run, alert }: PlainDelivery) {
  if (run !== null) {
    const name = alert.workflow_run?.workflow.name ?? '';
    const object = { type: 'workflow_run' as const, id: run, name };
    return { code: 'workflow_run.alert_retried' as const, object, params: { run } };
  }
  const object = { type: 'task' as const, id: task, name: alert.task?.template.name ?? '' };
  return { code: 'alert.retried' as const, object, params: { task } };
}

/** An alert that this server has reserved for sending. */
export type TakenDelivery = Pick<
  PlainDelivery,
  | 'id'
  | 'project_id'
  | 'task_id'
  | 'channel_id'
  | 'user_id'
  | 'repository_id'
  | 'attempts'
  | 'created'
  | 'alert'
>;

/** The result of an attempt that failed because of an error of the server. */
export const broken: SendResult = {
  status: null,
  error: 'internal',
  isFinal: false,
  retryAfter: null,
};

// Seconds before each further attempt, in their order.
const retrySeconds = [60, 300, 1800, 7200];
// The longest wait that a receiver can ask for, in seconds.
const MAX_RETRY_DELAY = 3600;
// Seconds for which an alert is reserved; longer than an attempt takes.
const reservedSeconds = 15;

const later = (ctx: Context, seconds: number): string =>
  new Date(ctx.clock.now().getTime() + seconds * 1000).toISOString();

/** Reserves due alerts for sending, at most `most` of them. */
export async function takeDue(ctx: Context, most: number): Promise<TakenDelivery[]> {
  const taken: TakenDelivery[] = [];
  for (const row of await listDue(ctx.db, later(ctx, 0), most)) {
    if (!(await takeDelivery(ctx.db, row, later(ctx, reservedSeconds)))) continue;
    const delivery = { ...row, attempts: row.attempts + 1 };
    // The server has stopped during every attempt, so there is no further one.
    if (row.attempts > retrySeconds.length) await settle(ctx, delivery, broken);
    else taken.push(delivery);
  }
  return taken;
}

/** When the next alert is due; null when none waits. */
export async function nextDue(ctx: Context): Promise<Date | null> {
  const time = await findNextDue(ctx.db);
  return time === null ? null : new Date(time);
}

/** The current receiver of an alert; null when it no longer exists. */
export async function targetOf(ctx: Context, delivery: TakenDelivery): Promise<AlertTarget | null> {
  const { project_id: projectId, channel_id: channelId, user_id: userId } = delivery;
  if (channelId !== null) {
    const channel = await openChannel(ctx, projectId, channelId);
    return channel?.isActive ? channel : null;
  }
  const nothing = { addresses: [], chat: '', address: '', secret: '' };
  if (userId !== null) {
    const address = await findMemberAddress(ctx.db, projectId, userId);
    return address === null ? null : { ...nothing, type: 'email', addresses: [address] };
  }
  const chat = await findChat(ctx.db, projectId);
  const token = ctx.config.alerts.telegramToken;
  return chat && token ? { ...nothing, type: 'telegram', chat, secret: token } : null;
}

/** Records the result of an attempt, and the time of the next one. */
export async function settle(
  ctx: Context,
  delivery: Pick<TakenDelivery, 'id' | 'project_id' | 'attempts'>,
  result: SendResult,
): Promise<void> {
  const outcome = outcomeOf(ctx, delivery, result);
  await updateOutcome(ctx.db, delivery, outcome);
  const word = outcome.status === 'pending' ? 'retried' : outcome.status;
  ctx.telemetry.count('signalbox_alert_deliveries_total', { outcome: word });
  ctx.hub.publish('resource.changed', { projectId: delivery.project_id, noun: 'alertDeliveries' });
}

function outcomeOf(
  ctx: Context,
  { attempts }: Pick<TakenDelivery, 'attempts'>,
  { status, error, isFinal, retryAfter }: SendResult,
): Outcome {
  const known = { answer_status: status, error, sent: null, next_try: null };
  if (error === null || error === 'mail_some_refused') {
    return { ...known, status: 'sent', sent: later(ctx, 0) };
  }
  const pause = retrySeconds[attempts - 1];
  if (isFinal || pause === undefined) return { ...known, status: 'failed' };
  // A receiver can make the wait longer, but not shorter: that would use up all attempts at once.
  const seconds = Math.max(pause, Math.min(retryAfter ?? 0, MAX_RETRY_DELAY));
  return { ...known, status: 'pending', next_try: later(ctx, seconds) };
}

const keptDays = 90;

/** Deletes alerts that are older than three months. */
export async function tidyDeliveries(ctx: Context, signal: AbortSignal): Promise<void> {
  const oldest = later(ctx, -keptDays * 24 * 60 * 60);
  await deleteInPieces((limit) => deleteBefore(ctx.db, oldest, limit), signal);
}

/** Gives up all alerts that wait to be sent. */
export const dropAlerts = ({ db }: Pick<Context, 'db'>): Promise<void> => dropPending(db);
