// The endpoint for requests of other programs. There is no sign-in: the address selects the
// integrations, and each of them authenticates the sender.

import { webhooks } from '#shared/api/deliveries.ts';
import type { Http, Input } from '../../http/serve.ts';
import { Semaphore } from '../../../node/async/semaphore.ts';
import { fail } from '../../lib/errors.ts';
import { processRequest, type DeliveryResult } from './receive.ts';
import type { Incoming } from './request.ts';

type Receiver = typeof webhooks.receive | typeof webhooks.receiveEmpty;
type WebhookInput = Pick<Input<Receiver>, 'ctx' | 'params' | 'request' | 'reply'>;

// Each may contain a mebibyte of JSON, from senders that are not authenticated yet.
const MAX_CONCURRENT = 2;

export function webhookRoutes(http: Http): void {
  const slots = new Semaphore(MAX_CONCURRENT);
  const admit = (input: WebhookInput) => slots.run(() => take(input));
  http.serve(webhooks.receive, (input) => admit(input));
  http.serve(webhooks.receiveEmpty, (input) => admit(input));
  http.serve(webhooks.options, () => undefined);
}

async function take({ ctx, params, request, reply }: WebhookInput) {
  const taken = await processRequest(ctx, params.alias, toIncoming(request));
  const isRepeated =
    taken.length > 0 && taken.every(({ delivery }) => delivery.result === 'duplicate');
  if (isRepeated) throw fail('webhook.duplicate');
  reply.headers(startedBy(taken));
  const wantsAnswer = (request.headers.accept ?? '').includes('application/json');
  return wantsAnswer ? { matched: taken.map(shown) } : null;
}

/** The ids of the first started task, in the headers that clients of other versions read. */
function startedBy(taken: DeliveryResult[]): Record<string, string> {
  const first = taken.find(({ delivery }) => delivery.task_id !== null);
  if (!first) return {};
  const { integration, delivery } = first;
  const ids = {
    Task: delivery.task_id,
    Template: integration.template_id,
    Project: integration.project_id,
    Integration: integration.id,
  };
  return Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [`X-Semaphore-${name}-ID`, String(id)]),
  );
}

function toIncoming({ method, ip, headers, body }: WebhookInput['request']): Incoming {
  const texts = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join()]);
  return {
    method,
    ip,
    headers: Object.fromEntries(texts) as Record<string, string>,
    bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  };
}

const shown = ({ integration, delivery }: DeliveryResult) => ({
  integration_id: integration.id,
  name: integration.name,
  task_id: delivery.task_id,
  workflow_run_id: delivery.workflow_run_id,
  result: delivery.result,
  reason: delivery.reason.text,
});
