// Deliveries: the requests to an integration with their results, which can be shown and evaluated again.

import type { Delivery, DeliveryRequest, Trial, WholeDelivery } from '#shared/api/deliveries.ts';
import type { Integration } from '#shared/api/integrations.ts';
import { deliveryMessage } from '#shared/catalogue/delivery-reasons.ts';
import type { Context } from '../../context/context.ts';
import { refusing } from '../../db/conflict.ts';
import { fail } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { sealInto } from '../../vault/sealed-texts.ts';
import { readPage, type Page } from '../../lib/page.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  findDelivery,
  findRequest,
  insertDelivery,
  listDeliveries,
  pruneDeliveries,
} from './deliveries.store.ts';
import { evaluate, evaluateEach, type Reason, type Verdict } from './evaluate.ts';
import { requireIntegration } from './integrations.ts';
import { matcherStore, valueStore, type Owner } from './rules.store.ts';

// Deliveries that are kept for each integration. Anybody who knows the address can send requests that are
// refused or start nothing, so a flood of those must not displace the ones that have started something.
const MAX_DELIVERIES = 100;
const MAX_UNAUTHORIZED_DELIVERIES = 20;
const MAX_UNSTARTED_DELIVERIES = 60;

export const ownerOf = ({ project_id, id }: Pick<Integration, 'project_id' | 'id'>): Owner => ({
  projectId: project_id,
  integrationId: id,
});

const rowOf = ({ projectId, integrationId }: Owner, id: number) => ({
  id,
  project_id: projectId,
  integration_id: integrationId,
});

/** The result of a request, as it is stored. */
export interface Outcome extends Pick<Delivery, 'method' | 'ip' | 'result'> {
  reason: Reason;
  request: DeliveryRequest;
  taskId: number | null;
  runId: number | null;
  /** The hash of the sender's id of the delivery, if it has launched something. */
  senderId: string | null;
  replayOf: number | null;
}

const unstarted: Delivery['result'][] = ['not_matched', 'failed', 'duplicate'];

export function recordDelivery(
  ctx: Context,
  owner: Owner,
  { reason, request, ...outcome }: Outcome,
): Promise<Delivery> {
  const { projectId, integrationId } = owner;
  return inTransaction(ctx, async (inner) => {
    const row = {
      project_id: projectId,
      integration_id: integrationId,
      created: ctx.clock.now().toISOString(),
      ip: outcome.ip.slice(0, 64),
      method: outcome.method,
      result: outcome.result,
      reason: reason.code,
      params: reason.params,
      task_id: outcome.taskId,
      workflow_run_id: outcome.runId,
      replay_of: outcome.replayOf,
      sender_id: outcome.senderId,
      // The request is sealed as soon as the row has the id that the text is bound to.
      request: '',
    };
    const gone = { 'foreign-key': () => fail('integration.not_found') };
    const id = await refusing(insertDelivery(inner.db, row), gone);
    const text = JSON.stringify(request);
    await sealInto(inner, sealedColumns.deliveryRequest, rowOf(owner, id), text);
    await pruneDeliveries(inner.db, integrationId, MAX_UNAUTHORIZED_DELIVERIES, ['unauthorized']);
    await pruneDeliveries(inner.db, integrationId, MAX_UNSTARTED_DELIVERIES, unstarted);
    await pruneDeliveries(inner.db, integrationId, MAX_DELIVERIES);
    if (outcome.replayOf !== null) await recordReplay(inner, owner, outcome.replayOf);
    inner.hub.publish('resource.changed', { projectId, noun: 'deliveries' });
    return requireDelivery(inner, owner, id);
  });
}

async function recordReplay(
  ctx: Context,
  { projectId, integrationId: id }: Owner,
  delivery: number,
): Promise<void> {
  const { name } = await requireIntegration(ctx, projectId, id);
  const object = { type: 'integration', id, name } as const;
  await record(ctx, { code: 'integration.replayed', projectId, object, params: { delivery } });
}

export async function getDeliveries(
  ctx: Context,
  owner: Owner,
  { before, limit = MAX_DELIVERIES }: { before?: number | undefined; limit?: number | undefined },
): Promise<Page<Delivery>> {
  await requireIntegration(ctx, owner.projectId, owner.integrationId);
  return readPage(limit, (count) => listDeliveries(ctx.db, owner, { before, limit: count }));
}

async function requireDelivery(ctx: Context, owner: Owner, id: number): Promise<Delivery> {
  const found = await findDelivery(ctx.db, owner, id);
  if (!found) throw fail('delivery.not_found');
  return found;
}

export async function openDelivery(ctx: Context, owner: Owner, id: number): Promise<WholeDelivery> {
  await requireIntegration(ctx, owner.projectId, owner.integrationId);
  const delivery = await requireDelivery(ctx, owner, id);
  const sealed = await findRequest(ctx.db, owner, id);
  if (sealed === null) throw fail('delivery.not_found');
  const text = ctx.vault.open(sealed, sealedColumns.deliveryRequest.at(rowOf(owner, id)));
  return { ...delivery, request: JSON.parse(text) as DeliveryRequest };
}

export async function evaluateRequest(
  ctx: Context,
  owner: Owner,
  request: DeliveryRequest,
): Promise<Verdict> {
  const matchers = await matcherStore.list(ctx.db, owner);
  const values = await valueStore.list(ctx.db, owner);
  return evaluate({ matchers, values }, request);
}

/** Evaluates a request without launching anything. */
export async function tryRequest(
  ctx: Context,
  owner: Owner,
  request: DeliveryRequest,
): Promise<Trial> {
  await requireIntegration(ctx, owner.projectId, owner.integrationId);
  const matchers = await matcherStore.list(ctx.db, owner);
  const { reason, ...verdict } = await evaluateRequest(ctx, owner, request);
  const reasons = evaluateEach(matchers, request);
  return {
    ...verdict,
    reason: withText(reason),
    matchers: matchers.map(({ id, name }, index) => {
      const wrong = reasons[index] ?? null;
      return { id, name, reason: wrong && withText(wrong) };
    }),
  };
}

const withText = (reason: Reason): Trial['reason'] => ({
  ...reason,
  text: deliveryMessage(reason),
});
