// The outbox of alerts, at least once: after a crash an alert is repeated with the same id.

import { alertErrors } from '#shared/catalogue/alert-errors.ts';
import type { AlertDelivery } from '#shared/api/alert-deliveries.ts';
import { openChannel, requireChannel } from '../alert-channels/alert-channels.ts';
import type { SendResult } from '../alert.ts';
import type { AlertTarget } from '../send.ts';
import { seenBy, type Context } from '../../context/context.ts';
import type { ObjectRef } from '../../db/rights/object-rights.ts';
import { listWhoSee } from '../../db/rights/who-sees.store.ts';
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

const DEFAULT_PAGE_SIZE = 200;

export async function getDeliveries(
  ctx: Context,
  projectId: number,
  {
    limit = DEFAULT_PAGE_SIZE,
    ...filter
  }: Omit<DeliveryFilter, 'limit'> & { limit?: number | undefined },
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

/** Requeues a failed alert. */
export async function retryDelivery(ctx: Context, projectId: number, id: number): Promise<void> {
  const delivery = await findDelivery(seenBy(ctx), projectId, id);
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

/** An alert that is leased to this server. */
export type TakenDelivery = PlainDelivery;

/** The result of an internal error. */
export const broken: SendResult = {
  status: null,
  error: 'internal',
  isFinal: false,
  retryAfter: null,
};

// The delay before each retry.
const RETRY_DELAYS_S = [60, 300, 1800, 7200];
// The limit of a receiver's Retry-After.
const MAX_RETRY_AFTER_S = 3600;
// Longer than an attempt takes.
const LEASE_S = 15;

const later = (ctx: Context, seconds: number): string =>
  new Date(ctx.clock.now().getTime() + seconds * 1000).toISOString();

/** Leases at limit `limit` due alerts. */
export async function takeDue(ctx: Context, limit: number): Promise<TakenDelivery[]> {
  const taken: TakenDelivery[] = [];
  for (const row of await listDue(ctx.db, later(ctx, 0), limit)) {
    if (!(await takeDelivery(ctx.db, row, later(ctx, LEASE_S)))) continue;
    const delivery = { ...row, attempts: row.attempts + 1 };
    // The server crashed in every attempt.
    if (row.attempts > RETRY_DELAYS_S.length) await settle(ctx, delivery, broken);
    else taken.push(delivery);
  }
  return taken;
}

/** Null when none is pending. */
export async function nextDue(ctx: Context): Promise<Date | null> {
  const time = await findNextDue(ctx.db);
  return time === null ? null : new Date(time);
}

/** Null when the receiver no longer exists. */
export async function targetOf(ctx: Context, delivery: TakenDelivery): Promise<AlertTarget | null> {
  const { project_id: projectId, channel_id: channelId, user_id: userId } = delivery;
  if (channelId !== null) {
    const channel = await openChannel(ctx, projectId, channelId);
    return channel?.isActive ? channel : null;
  }
  const nothing = { addresses: [], chat: '', address: '', secret: '' };
  if (userId !== null) {
    const [reader] = await listWhoSee(ctx.db, projectId, subjectOf(delivery), [userId]);
    const address =
      reader === undefined ? null : await findMemberAddress(ctx.db, projectId, userId);
    return address === null ? null : { ...nothing, type: 'email', addresses: [address] };
  }
  const chat = await findChat(ctx.db, projectId);
  const token = ctx.config.alerts.telegramToken;
  return chat && token ? { ...nothing, type: 'telegram', chat, secret: token } : null;
}

/** Who read it when the alert was raised may have lost access to it. */
const subjectOf = ({ alert: { task, workflow_run: run } }: TakenDelivery): ObjectRef =>
  task
    ? { type: 'template', id: task.template.id }
    : { type: 'workflow', id: run?.workflow.id ?? 0 };

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
  const pause = RETRY_DELAYS_S[attempts - 1];
  if (isFinal || pause === undefined) return { ...known, status: 'failed' };
  // Retry-After may lengthen the delay but not shorten it, which would use up all attempts at once.
  const seconds = Math.max(pause, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER_S));
  return { ...known, status: 'pending', next_try: later(ctx, seconds) };
}

const KEEP_DAYS = 90;

export async function tidyDeliveries(ctx: Context, signal: AbortSignal): Promise<void> {
  const oldest = later(ctx, -KEEP_DAYS * 24 * 60 * 60);
  await deleteInPieces((limit) => deleteBefore(ctx.db, oldest, limit), signal);
}

/** Discards all pending alerts. */
export const dropAlerts = ({ db }: Pick<Context, 'db'>): Promise<void> => dropPending(db);
