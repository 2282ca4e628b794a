// Sends a canary in every field that is marked as secret, except in those that tasks need.

import { expect } from 'vitest';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { webhooks } from '#shared/api/deliveries.ts';
import type { CallOf, Endpoint } from '#shared/api/endpoint.ts';
import { environments } from '#shared/api/environments.ts';
import { identity } from '#shared/api/identity.ts';
import { endpoints } from '#shared/api/index.ts';
import { keys } from '#shared/api/keys.ts';
import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { secondFactor } from '#shared/api/second-factor.ts';
import { session } from '#shared/api/session.ts';
import { users } from '#shared/api/users.ts';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { workflows } from '#shared/api/workflows.ts';
import type { Caller } from './app.ts';
import { newCanary, type Canaries } from './canaries.ts';
import { sshKeygen } from './private-keys.ts';
import { publicKey } from './runner-caller.ts';
import { secretRequestFields, secretValues } from './secret-fields.ts';

/** Watches the requests, and returns the marked fields in which no canary was sent. */
export function watchFields() {
  const sent: [field: string, value: string][] = [];
  return {
    note<E extends Endpoint>(endpoint: E, args: CallOf<E>): void {
      const { name } = endpoints.find((one) => one.endpoint === (endpoint as Endpoint)) ?? {};
      for (const [path, value] of secretValues(endpoint, args))
        sent.push([`${name} ${path}`, value]);
    },
    without(canaries: Canaries): string[] {
      const values = Object.values(canaries).flatMap((value) => [
        value,
        encodeURIComponent(value),
        JSON.stringify(value).slice(1, -1),
      ]);
      const planted = sent
        .filter(([, text]) => values.some((one) => text.includes(one)))
        .map(([field]) => field);
      return secretRequestFields().filter((field) => !planted.includes(field));
    },
  };
}

/** Sends the requests and adds their secrets to the canaries. */
export async function plantFields(
  owner: Caller,
  project_id: number,
  canaries: Canaries,
  ownPassword: string,
): Promise<void> {
  const plant = (kind: string, secret = newCanary()): string => (canaries[kind] = secret);
  const params = { project_id };
  await plantKeys(owner, params, plant);
  const variable = (operation: 'create' | 'update', id: number | null, kind: string) => ({
    body: { name: 'Changed', secrets: [{ operation, id, name: 'hidden', secret: plant(kind) }] },
  });
  const made = variable('create', null, 'variable that is replaced');
  const { id: environment_id } = await owner.call(environments.create, { params, ...made });
  const inEnvironment = { ...params, environment_id };
  const { secrets } = await owner.call(environments.one, { params: inEnvironment });
  const changed = variable('update', secrets?.[0]?.id ?? 0, 'variable that replaces');
  await owner.call(environments.update, { params: inEnvironment, ...changed });
  const channel = (kind: string) => ({
    name: 'Changed',
    type: 'gotify' as const,
    active: false,
    events: ['failed' as const],
    override_secret: true,
    address: `https://127.0.0.1/${encodeURIComponent(plant(`address that ${kind}`))}`,
    secret: plant(`token that ${kind}`),
  });
  const was = { params, body: channel('is replaced') };
  const { id: alert_channel_id } = await owner.call(alertChannels.create, was);
  const inChannel = { params: { ...params, alert_channel_id }, body: channel('replaces') };
  await owner.call(alertChannels.update, inChannel);
  await plantApproval(owner, params, plant);
  await plantPasswords(owner, plant, ownPassword);
  canaries['one-time secret'] = (await owner.call(secondFactor.start, {})).secret;
  const alias = canaries['alias of the webhook'] ?? '';
  const statuses = [
    (await owner.ask(webhooks.receive, { params: { alias }, body: {} })).status,
    (await owner.ask(webhooks.receiveEmpty, { params: { alias } })).status,
    (await owner.ask(webhooks.options, { params: { alias } })).status,
  ];
  expect(statuses.every((status) => status < 300)).toBe(true);
}

/** Returns the secret question of an approval in a run of a workflow. */
async function plantApproval(
  owner: Caller,
  params: { project_id: number },
  plant: (kind: string) => string,
): Promise<void> {
  const fields = [{ name: 'word', title: 'Word', type: 'secret' as const }];
  const node = { key: 'ask', name: 'Ask', type: 'approval' as const, question: '', fields };
  const graph = { nodes: [{ ...node, roles: ['owner' as const] }] };
  const { id } = await owner.call(workflows.create, { params, body: { name: 'Asks', graph } });
  const which = { params: { ...params, workflow_id: id }, body: {} };
  const run = await owner.call(workflows.launch, which);
  const secret = JSON.stringify({ word: plant('answer to an approval') });
  await owner.call(workflowRuns.decide, {
    params: { ...params, run_id: run.id, node: 'ask' },
    body: { approve: true, secret },
  });
}

async function plantKeys(
  owner: Caller,
  params: { project_id: number },
  plant: (kind: string, secret?: string) => string,
): Promise<void> {
  const password = (kind: string) => ({
    name: 'Password',
    type: 'login_password' as const,
    login_password: { login: 'robot', password: plant(kind) },
  });
  const ssh = async (kind: string) => {
    const passphrase = plant(`passphrase that ${kind}`);
    const private_key = await sshKeygen({ passphrase });
    // A line that is encrypted.
    plant(`key that ${kind}`, private_key.split('\n')[4]);
    return { name: 'Ssh that changes', type: 'ssh' as const, ssh: { passphrase, private_key } };
  };
  for (const [first, second] of [
    [password('password that is replaced'), password('password that replaces')],
    [await ssh('is replaced'), await ssh('replaces')],
  ] as const) {
    const { id: key_id } = await owner.call(keys.create, { params, body: first });
    const body = { ...second, override_secret: true };
    await owner.call(keys.update, { params: { ...params, key_id }, body });
  }
}

/** Plants passwords also where they are wrong, and therefore refused. */
async function plantPasswords(
  owner: Caller,
  plant: (kind: string) => string,
  ownPassword: string,
): Promise<void> {
  const [first, second, third] = ['first', 'second', 'third'].map((one) =>
    plant(`${one} password`),
  );
  const someone = { username: 'someone', name: 'Someone', email: 'someone@example.com' };
  const { id: user_id } = await owner.call(users.create, { body: { ...someone, password: first } });
  const params = { user_id };
  const change = { ...someone, password: second, old_password: first };
  await owner.call(users.update, { params, body: change });
  const again = { password: third ?? '', old_password: second };
  await owner.call(users.password, { params, body: again });
  const code = plant('wrong code');
  const refused = [
    await owner.ask(session.signIn, {
      body: { auth: 'someone', password: plant('wrong password'), code },
    }),
    await owner.ask(secondFactor.confirm, { body: { code, password: ownPassword } }),
    await owner.ask(secondFactor.renewCodes, { body: { password: ownPassword } }),
    await owner.ask(runnerApiEndpoints.register, {
      body: {
        version: '1',
        max_parallel_tasks: 1,
        public_key: publicKey,
        token: plant('token of a runner'),
      },
    }),
    await owner.ask(runnerApiEndpoints.report, {
      params: { task_id: 1 },
      body: {
        lease: 1,
        report: {
          kind: 'outputs',
          outputs: [{ name: 'token', value: null, secret: plant('output of a task') }],
        },
      },
    }),
    await owner.ask(identity.complete, {
      params: { provider_id: 'nobody' },
      query: { code: plant('code of a provider') },
    }),
  ];
  expect(refused.map(({ status }) => status >= 300)).toEqual(refused.map(() => true));
  // The codes are not checked where somebody has a session already.
  await owner.call(session.verify, { body: { passcode: plant('passcode') } });
  await owner.call(session.recover, { body: { recovery_code: plant('recovery code') } });
  // There is nothing to remove: another test checks whether that is refused.
  await owner.ask(secondFactor.remove, { body: { password: ownPassword } });
}
