// The integrations and alerts of the example.

import type { ApiCall } from '../api-client.ts';
import { adder, type Add, type Resources } from './resources.ts';
import type { Templates } from './templates.ts';

export interface Automation {
  integration: number;
  value: number;
  matcher: number;
  delivery: number;
  channel: number;
}

const push = { ref: 'refs/heads/main', after: '4f2c1d9', repository: { name: 'webshop' } };

export async function addAutomation(
  call: ApiCall,
  projectId: number,
  { backup }: Templates,
  { login }: Resources,
): Promise<Automation> {
  const add = adder(call, projectId);
  const channel = await addChannels(add);
  const body = {
    name: 'Push to main',
    template_id: backup,
    auth_method: 'token',
    auth_header: 'X-Token',
    auth_secret_id: login,
  };
  const integration = await add('integrations', body);
  const at = `integrations/${integration}`;
  const value = await add(`${at}/values`, {
    name: 'Commit',
    value_source: 'body',
    body_data_type: 'json',
    key: 'after',
    variable: 'commit',
  });
  const matcher = await add(`${at}/matchers`, {
    name: 'Only main',
    match_type: 'body',
    body_data_type: 'json',
    key: 'ref',
    method: 'equals',
    value: 'refs/heads/main',
  });
  await add('integrations/aliases', {});
  const path = `/api/project/${projectId}/${at}`;
  const { url } = await call<{ url: string }>('POST', `${path}/aliases`, {});
  await send(url, 'an example of a secret', push);
  await send(url, 'not the secret', push);
  await send(url, 'an example of a secret', { ...push, ref: 'refs/heads/other' });
  const [newest] = await call<{ id: number }[]>('GET', `${path}/deliveries`);
  return { integration, value, matcher, delivery: newest?.id ?? 0, channel };
}

async function addChannels(add: Add): Promise<number> {
  const events = ['failed', 'recovered', 'waiting'];
  // The channel disabled, so that nothing is sent.
  await add('alert_channels', {
    name: 'On call',
    type: 'mattermost',
    address: 'https://chat.example.com/hooks/oncall',
    active: false,
    events,
  });
  // No server listens at this address, so the list of deliveries shows a failure.
  const address = 'http://127.0.0.1:9/alerts';
  return add('alert_channels', { name: 'Chat room', type: 'webhook', address, events });
}

async function send(url: string, token: string, body: object): Promise<void> {
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-token': token, 'x-event': 'push' },
    body: JSON.stringify(body),
  });
}
