// An integration with secrets, to which requests with secrets are sent.

import { deliveries } from '#shared/api/deliveries.ts';
import { aliases, integrations } from '#shared/api/integrations.ts';
import { keys } from '#shared/api/keys.ts';
import type { Caller } from './app.ts';
import { newCanary, type Canaries } from './canaries.ts';
import { makeReceiver } from './integrations.ts';

/** Plants the secrets and adds them to the canaries; returns the ids of what was made. */
export async function plantWebhook(
  owner: Caller,
  address: string,
  project_id: number,
  canaries: Canaries,
): Promise<Record<string, number | string>> {
  const inProject = { project_id };
  const secret = newCanary();
  const login_password = { login: 'hook', password: secret };
  const body = { name: 'Hook', type: 'login_password' as const, login_password };
  const key = await owner.call(keys.create, { params: inProject, body });
  const receiver = await makeReceiver(owner, project_id, {
    auth_method: 'token',
    auth_header: 'X-Ours',
    auth_secret_id: key.id,
  });
  const { params, alias } = receiver;
  const header = { body_data_type: '', key: 'X-Ours' } as const;
  const value_id = await receiver.extract({ value_source: 'header', ...header });
  const matcher_id = await receiver.match({
    match_type: 'header',
    ...header,
    method: 'unequals',
  });
  const [own] = await owner.call(aliases.list, { params });
  const sent = {
    'authorization that was sent': newCanary(),
    'cookie that was sent': newCanary(),
    'wrong secret that was sent': newCanary(),
  };
  Object.assign(canaries, sent, { 'secret of the webhook': secret, 'alias of the webhook': alias });
  const others = {
    authorization: sent['authorization that was sent'],
    cookie: `session=${sent['cookie that was sent']}`,
  };
  const statuses: number[] = [];
  for (const given of [secret, sent['wrong secret that was sent']]) {
    const headers = { ...others, 'x-ours': given };
    const answer = await fetch(`${address}/api/integrations/${alias}`, { method: 'POST', headers });
    statuses.push(answer.status);
  }
  if (statuses.join() !== '204,401') throw new Error(`answered with ${statuses.join()}`);
  const [delivery] = await owner.call(deliveries.list, { params });
  // This integration has no secret, so that a test can send to it without one.
  const open = { name: 'Open', auth_method: '' as const };
  await owner.call(integrations.update, { params, body: open });
  return {
    ...params,
    alias,
    value_id,
    matcher_id,
    alias_id: own?.id ?? 0,
    delivery_id: delivery?.id ?? 0,
  };
}
