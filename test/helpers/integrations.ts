// Makes integrations with everything that belongs to one, and sends requests to them.

import type { LightMyRequestResponse } from 'fastify';
import type { CallOf } from '#shared/api/endpoint.ts';
import { deliveries, type Delivery } from '#shared/api/deliveries.ts';
import { aliases, integrations, type Integration } from '#shared/api/integrations.ts';
import { extractValues, matchers } from '#shared/api/matchers.ts';
import type { Caller } from './app.ts';
import type { Body } from './resources.ts';
import type { Seed } from './seed.ts';

type NewFields = Partial<CallOf<typeof integrations.create>['body']>;
type NewMatcher = Partial<CallOf<typeof matchers.create>['body']>;
type NewValue = Partial<CallOf<typeof extractValues.create>['body']>;

interface Sending {
  method?: 'GET' | 'POST' | 'OPTIONS' | 'HEAD';
  headers?: Record<string, string>;
  body?: object | string | Buffer;
  alias?: string;
}

/** An integration, its address, and functions that send to it. */
interface Receiver {
  integration: Integration;
  params: { project_id: number; integration_id: number };
  /** The random part of its address. */
  alias: string;
  match: (fields: NewMatcher) => Promise<number>;
  extract: (fields: NewValue) => Promise<number>;
  /** Sends a request to the integration, as JSON if the body is an object. */
  send: (sending?: Sending) => Promise<LightMyRequestResponse>;
  /** The deliveries, the newest first. */
  deliveries: () => Promise<Delivery[]>;
  newest: () => Promise<Delivery>;
}

export const aliasOf = ({ url }: { url: string }): string => url.split('/').at(-1) ?? '';

let count = 0;

export async function makeReceiver(
  caller: Caller,
  project_id: number,
  fields: NewFields = {},
): Promise<Receiver> {
  count += 1;
  const body = { name: `Integration ${count}`, ...fields };
  const integration = await caller.call(integrations.create, { params: { project_id }, body });
  const params = { project_id, integration_id: integration.id };
  const alias = aliasOf(await caller.call(aliases.create, { params }));
  const list = () => caller.call(deliveries.list, { params });
  return {
    integration,
    params,
    alias,
    async match(given) {
      const matcher = {
        name: 'Matcher',
        match_type: 'body' as const,
        body_data_type: 'json' as const,
        key: 'ref',
        method: 'equals' as const,
        value: 'main',
        ...given,
      };
      return (await caller.call(matchers.create, { params, body: matcher })).id;
    },
    async extract(given) {
      const value = {
        name: 'Value',
        value_source: 'body' as const,
        body_data_type: 'json' as const,
        key: 'ref',
        variable: 'ref',
        ...given,
      };
      return (await caller.call(extractValues.create, { params, body: value })).id;
    },
    send: (sending = {}) => send(caller, { alias, ...sending }),
    deliveries: list,
    async newest() {
      const [delivery] = await list();
      if (!delivery) throw new Error('the integration has no delivery');
      return delivery;
    },
  };
}

/** Sends a request to an address as another program would, without cookies. */
export function send(
  caller: Caller,
  { method = 'POST', headers = {}, body, alias = '' }: Sending,
): Promise<LightMyRequestResponse> {
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  return caller.raw({
    method,
    url: `/api/integrations/${alias}`,
    headers: { ...(isJson && { 'content-type': 'application/json' }), cookie: '', ...headers },
    ...(body !== undefined && { payload: isJson ? JSON.stringify(body) : body }),
  });
}

/**
 * Makes an integration with everything that one can have; returns the ids for the paths of its
 * endpoints.
 */
export async function integrationIds(
  caller: Caller,
  { projectId, template }: Seed,
): Promise<Record<string, number | string>> {
  const { id: template_id } = await template();
  const receiver = await makeReceiver(caller, projectId, { template_id });
  const { params, alias } = receiver;
  const value_id = await receiver.extract({});
  const matcher_id = await receiver.match({});
  await receiver.send({ body: { ref: 'main' } });
  const [address] = await caller.call(aliases.list, { params });
  return {
    integration_id: receiver.integration.id,
    alias_id: address?.id ?? 0,
    alias,
    value_id,
    matcher_id,
    delivery_id: (await receiver.newest()).id,
  };
}

/** Accepted bodies for the endpoints of integrations. */
export function integrationSamples(ids: Record<string, number | string>): Record<string, Body> {
  const integration = {
    name: 'Push',
    template_id: ids['template_id'],
    auth_method: 'token',
    auth_header: 'X-Token',
    auth_secret_id: null,
    searchable: true,
    task_params: { message: 'Why', limit: 'web', inventory_id: ids['inventory_id'] },
  };
  const value = {
    name: 'Branch',
    value_source: 'body',
    body_data_type: 'json',
    key: 'deep[0].number',
    variable: 'branch',
  };
  const matcher = {
    name: 'Main',
    match_type: 'header',
    body_data_type: '',
    key: 'X-Event',
    method: 'contains',
    value: 'push',
  };
  return {
    'integrations.create': integration,
    'integrations.update': integration,
    'extractValues.create': value,
    'extractValues.update': value,
    'matchers.create': matcher,
    'matchers.update': matcher,
    'deliveries.try': { headers: { 'x-event': 'push' }, body: '{"ref": "main"}' },
    'webhooks.receive': { ref: 'main', deep: [{ number: 12_345_678 }] },
  };
}
