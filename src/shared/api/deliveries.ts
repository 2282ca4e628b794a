import { z } from 'zod';
import { messageParams } from './coded-messages.ts';
import { deliveryResults } from '../deliveries.ts';
import { endpoint, webhookLimit } from './endpoint.ts';
import { id, naming, secret, time } from '../fields.ts';
import { newestFirstQuery } from './page.ts';

const reason = z.object({
  code: z.string(),
  params: messageParams,
  text: z.string(),
});

/** A request to an integration, and its result. */
export const delivery = z.object({
  id,
  integration_id: id,
  created: time,
  ip: z.string(),
  method: z.string(),
  result: z.enum(deliveryResults),
  reason,
  /** What it started; null: nothing, or it was deleted. */
  task_id: id.nullable(),
  workflow_run_id: id.nullable(),
  /** The delivery that was evaluated again. */
  replay_of: id.nullable(),
});
export type Delivery = z.output<typeof delivery>;

const request = z.object({
  /** Without headers that carry credentials. */
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
export type DeliveryRequest = z.output<typeof request>;

const wholeDelivery = delivery.extend({ request });
export type WholeDelivery = z.output<typeof wholeDelivery>;

const tryBody = z.strictObject({
  headers: z.record(z.string().max(255), z.string().max(16_384)).default({}),
  body: z.string().max(webhookLimit).default(''),
});

const trial = z.object({
  matches: z.boolean(),
  reason,
  /** By the names of their variables. */
  values: z.record(z.string(), z.string()),
  /** The branch, tag or commit in the request; null: none. */
  git_branch: z.string().nullable(),
  /** The variables for which the request has no value. */
  missing: z.array(z.string()),
  /** Each matcher with the reason why it does not match; null: it matches. */
  matchers: z.array(z.object({ id, name: z.string(), reason: reason.nullable() })),
});
export type Trial = z.output<typeof trial>;

const path = '/api/project/:project_id/integrations/:integration_id';

export const deliveries = {
  list: endpoint.get(`${path}/deliveries`, {
    permission: 'integration.edit',
    summary: 'The last requests to an integration, newest first',
    query: newestFirstQuery,
    reply: z.array(delivery),
  }),
  one: endpoint.get(`${path}/deliveries/:delivery_id`, {
    permission: 'integration.edit',
    summary: 'One request to an integration, as it was sent',
    reply: wholeDelivery,
    refuses: ['secret.not_opened'],
  }),
  replay: endpoint.post(`${path}/deliveries/:delivery_id/replay`, {
    permission: 'integration.edit',
    summary: 'Evaluate a request again, as the integration is now, and launch what comes of it',
    reply: delivery,
    status: 201,
    refuses: ['delivery.unauthorized', 'secret.not_opened'],
  }),
  try: endpoint.post(`${path}/try`, {
    permission: 'integration.edit',
    summary: 'What would come of a request: nothing is launched',
    body: tryBody,
    reply: trial,
  }),
};

const matched = z.array(
  z.object({
    integration_id: id,
    name: z.string(),
    task_id: id.nullable(),
    workflow_run_id: id.nullable(),
    result: z.enum(deliveryResults),
    reason: z.string(),
  }),
);

const receiver = {
  path: '/api/integrations/:alias',
  permission: 'public',
  params: { alias: naming(secret(z.string()), 'webhook.not_found') },
  webhook: true,
  rateLimit: { max: 600, windowSeconds: 60 },
} as const;

const answer = {
  summary:
    'Take a request for the integrations behind an address; what came of it for `Accept: application/json`',
  reply: z.object({ matched }).nullable(),
  refuses: ['webhook.unauthorized', 'webhook.duplicate', 'secret.not_opened'],
} as const;

export const webhooks = {
  receive: endpoint({ ...receiver, ...answer, method: 'POST', body: z.unknown() }),
  receiveEmpty: endpoint({ ...receiver, ...answer, method: 'GET' }),
  options: endpoint({
    ...receiver,
    method: 'OPTIONS',
    // The response is the same for every address, so that it does not reveal which of them exist.
    params: { alias: secret(z.string()) },
    summary: 'Answer OPTIONS, which some programs send before their request',
  }),
};
