// Handles a request from another program. For each integration of its address: check the sender, evaluate
// the matchers, extract the values, launch the task or the run, and store the result.

import type { Delivery, DeliveryRequest } from '#shared/api/deliveries.ts';
import type { Integration } from '#shared/api/integrations.ts';
import { newTask, type NewTask } from '#shared/api/tasks.ts';
import type { By, Context } from '../../context/context.ts';
import { digest } from '../../lib/digest.ts';
import { AppError, fail, failFields, fieldError } from '../../lib/errors.ts';
import { openLogin } from '../../resources/keys/keys.ts';
import { inTransaction } from '../../context/transaction.ts';
import { startTask } from '../tasks/start-task.ts';
import { launchWorkflow } from '../workflows/runs/launch.ts';
import { ownerOf as ownerOfAlias } from './aliases.ts';
import { checkSender, credentialHeaders } from './check-sender.ts';
import {
  evaluateRequest,
  recordDelivery,
  openDelivery,
  ownerOf,
  type Outcome,
} from './deliveries.ts';
import { hasStarted, insertSigned, isSignedKnown, removeSignedBefore } from './deliveries.store.ts';
import { toReason, type Reason } from './evaluate.ts';
import { requireIntegration } from './integrations.ts';
import { findChanger, listSearchable, lockIntegration } from './integrations.store.ts';
import { senderIdOf, withoutCredentials, type Incoming } from './request.ts';
import type { Owner } from './rules.store.ts';

/** The result of a request at one integration, for its sender. */
export interface DeliveryResult {
  integration: Integration;
  delivery: Delivery;
}

/** Returns the results of the integrations that accept the sender. */
export async function processRequest(
  ctx: Context,
  alias: string,
  incoming: Incoming,
): Promise<DeliveryResult[]> {
  const owner = await ownerOfAlias(ctx, alias);
  if (!owner) throw fail('webhook.not_found');
  const { projectId, integrationId } = owner;
  const candidates =
    integrationId === null
      ? await listSearchable(ctx.db, projectId)
      : [await requireIntegration(ctx, projectId, integrationId)];
  // Credentials for one integration must not be visible to another one.
  const names = candidates.flatMap(credentialHeaders);
  const request = withoutCredentials(incoming, names);
  const results: DeliveryResult[] = [];
  for (const integration of candidates) {
    results.push({
      integration,
      delivery: await processDelivery(ctx, integration, incoming, request),
    });
  }
  const accepted = results.filter(({ delivery }) => delivery.result !== 'unauthorized');
  if (accepted.length === 0 && results.length > 0) throw fail('webhook.unauthorized');
  return accepted;
}

async function processDelivery(
  ctx: Context,
  integration: Integration,
  incoming: Incoming,
  request: DeliveryRequest,
): Promise<Delivery> {
  const { project_id: projectId, auth_secret_id: keyId } = integration;
  const { method, ip } = incoming;
  const login = keyId === null ? null : await openLogin(ctx, projectId, keyId);
  const checked = checkSender(integration, login, incoming, ctx.clock.now());
  const source = { method, ip, request, replayOf: null };
  if (checked.refusal) {
    const refused = notStarted('unauthorized', checked.refusal, source);
    return recordDelivery(ctx, ownerOf(integration), refused);
  }
  const by: By = {
    userId: null,
    username: '',
    via: 'integration',
    viaId: integration.id,
    ip,
    request: ctx.by.request,
  };
  return launch({ ...ctx, by }, integration, { ...source, signed: checked.signed });
}

/** Evaluates a request again with the current rules; the task belongs to the user who replays it. */
export async function replayDelivery(ctx: Context, owner: Owner, id: number): Promise<Delivery> {
  const integration = await requireIntegration(ctx, owner.projectId, owner.integrationId);
  const { request, method, result } = await openDelivery(ctx, owner, id);
  if (result === 'unauthorized') throw fail('delivery.unauthorized');
  return launch(ctx, integration, { method, ip: ctx.by.ip, request, replayOf: id });
}

type DeliverySource = Pick<Outcome, 'method' | 'ip' | 'request' | 'replayOf'> & {
  /** The hash of the signed content; null when the sender does not sign. */
  signed?: string | null;
};

const notStarted = (
  result: Delivery['result'],
  reason: Reason,
  source: DeliverySource,
): Outcome => ({
  ...source,
  result,
  reason,
  taskId: null,
  runId: null,
  senderId: null,
});

/** Launches the template or workflow if the request matches, and stores the delivery in the same transaction. */
async function launch(
  ctx: Context,
  integration: Integration,
  { signed = null, ...source }: DeliverySource,
): Promise<Delivery> {
  const owner = ownerOf(integration);
  const {
    matches,
    reason,
    values,
    git_branch: branch,
  } = await evaluateRequest(ctx, owner, source.request);
  const keep = (inner: Context, outcome: Outcome) => recordDelivery(inner, owner, outcome);
  if (!matches) return keep(ctx, notStarted('not_matched', reason, source));
  const blocker = findBlocker(integration, values, branch);
  if (blocker) return keep(ctx, notStarted('failed', blocker, source));
  const senderId = source.replayOf === null ? hashOf(senderIdOf(source.request)) : null;
  try {
    const start = triggerOf(integration, values, branch);
    return await inTransaction(ctx, async (inner) => {
      // Deliveries are handled one after the other, so that the second of two equal ones is recognised.
      if (!(await lockIntegration(inner.db, integration.id))) throw fail('integration.not_found');
      if (senderId !== null && (await hasStarted(inner.db, owner, senderId))) {
        return keep(inner, notStarted('duplicate', toReason('delivery.duplicate'), source));
      }
      if (signed !== null && !(await rememberSigned(inner, owner, signed))) {
        return keep(inner, notStarted('duplicate', toReason('delivery.signature_used'), source));
      }
      const started = await start(inner);
      return keep(inner, { ...source, result: 'started', reason, ...started, senderId });
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return keep(ctx, notStarted('failed', refusalOf(error), source));
  }
}

type Values = Record<string, string>;

/** Why a request that matches launches nothing; null: it can launch. */
function findBlocker(
  { template_id: template, workflow_id: workflow }: Integration,
  values: Values,
  branch: string | null,
): Reason | null {
  if (template === null && workflow === null) return toReason('delivery.no_template');
  if (workflow !== null && branch !== null) return toReason('delivery.branch_of_workflow');
  return Buffer.byteLength(JSON.stringify(values)) > MAX_EXTRACTED_VALUE_BYTES
    ? toReason('delivery.values_too_large', { limit: MAX_EXTRACTED_VALUE_BYTES })
    : null;
}

type StartedIds = Pick<Outcome, 'taskId' | 'runId'>;

/** Returns the function that launches the template or the workflow of an integration. */
function triggerOf(
  integration: Integration,
  values: Values,
  branch: string | null,
): (ctx: Context) => Promise<StartedIds> {
  const { project_id: projectId, workflow_id: workflowId, name } = integration;
  if (workflowId === null) {
    const task = launchOf(integration, branch);
    return async (ctx) => {
      const { id: taskId } = await startTask(ctx, projectId, task, { extracted: values });
      return { taskId, runId: null };
    };
  }
  const options = { message: '', launcher: name, extracted: values };
  return async (ctx) => {
    const which = { projectId, workflowId };
    const requestedBy = await findChanger(ctx.db, integration.id);
    const { id: runId } = await launchWorkflow(ctx, which, { ...options, requestedBy });
    return { taskId: null, runId };
  };
}

/** The launch with the branch or commit that the request chooses, which may be invalid. */
function launchOf(
  { task_params: params, template_id }: Integration,
  branch: string | null,
): NewTask {
  const chosen = branch === null ? {} : { git_branch: branch };
  const { data } = newTask.safeParse({ ...params, ...chosen, template_id });
  if (data) return data;
  throw failFields(fieldError('task_params.git_branch', 'field.git_reference'));
}

const SIGNED_CONTENT_KEPT_MS = 24 * 60 * 60_000;

/** Replay protection: false if the signed content has already launched something with any delivery id. */
async function rememberSigned(ctx: Context, owner: Owner, signed: string): Promise<boolean> {
  const now = ctx.clock.now();
  const forgotten = new Date(now.getTime() - SIGNED_CONTENT_KEPT_MS).toISOString();
  await removeSignedBefore(ctx.db, owner, forgotten);
  if (await isSignedKnown(ctx.db, owner, signed)) return false;
  await insertSigned(ctx.db, owner, { signed, created: now.toISOString() });
  return true;
}

// The same limit as for the answers of a launch.
const MAX_EXTRACTED_VALUE_BYTES = 256 * 1024;

const hashOf = (text: string | null): string | null => (text === null ? null : digest(text));

/** The error of a field is more specific than the error of the request. */
function refusalOf({ code, params, fields: [field] }: AppError): Reason {
  return field ? { code: field.code, params: field.params ?? {} } : { code, params };
}
