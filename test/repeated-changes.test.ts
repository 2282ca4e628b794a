// PUT: what is never cleared by being left out, and what the same body does a second time.

import { expect, test } from 'vitest';
import { pathOf } from '#shared/api/path.ts';
import { endpoints, mergeOf } from '#shared/api/index.ts';
import { change, done, everything, type Json, read } from './helpers/changed-resources.ts';
import type { Ids } from './helpers/every-id.ts';
import { randomNumber, runSeed } from './helpers/random.ts';

/** The value at a path such as `limit` or `task_params.limit`. */
const valueAt = (thing: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Json | null)?.[name], thing);

/** A deep copy without the field at a path. */
function without(thing: Json, path: string): Json {
  const copy = structuredClone(thing);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = valueAt(copy, names.join('.')) ?? (names.length === 0 ? copy : {});
  delete (names.length === 0 ? copy : (holder as Json))[last];
  return copy;
}

const narrow = {
  limit: 'web',
  tags: 'a',
  skip_tags: 'b',
  arguments: '["-v"]',
  git_branch: 'main',
};

const optionsOf = (ids: Ids): Json => ({
  ...narrow,
  dry_run: true,
  inventory_id: ids['inventory_id'],
  execution_environment_id: ids['execution_environment_id'],
});

const container = {
  network: 'none',
  mounts: [{ source: '/etc/pki', target: '/etc/pki' }],
  user: '1000:1000',
  memory_limit_mib: 100,
  cpu_limit_percent: 50,
  process_limit: 20,
  memory_request_mib: 50,
  cpu_request_percent: 25,
  node_labels: ['disk=ssd'],
  tolerations: ['gpu=true:NoSchedule'],
  service_account: 'deployer',
  pod_labels: ['team=web'],
  pull_secrets: ['registry'],
};

/** For each resource with fields that a PUT keeps, values that are not the default ones. */
const limits = {
  tags: ['a'],
  hosts: ['web'],
  branches: ['main'],
  answers: { a: ['b'] },
  dry_run: true,
  hours: { days: [1], from: '08:00', to: '18:00', time_zone: 'UTC' },
  second_person: true,
};

const guardsOf = (ids: Ids): Record<string, Json> => ({
  'integrations.update': {
    auth_method: 'token',
    auth_header: 'x-token',
    auth_secret_id: ids['key_id'],
    task_params: optionsOf(ids),
  },
  'schedules.update': { task_params: optionsOf(ids) },
  'templates.update': {
    ...narrow,
    survey_vars: [{ name: 'a', title: 'A', required: true }],
    vault_key_id: ids['key_id'],
    vaults: [{ vault_key_id: ids['key_id'], name: null }],
    runner_tags: ['dmz'],
    requires_confirmation: true,
    allow_debug_in_task: true,
    timeout_s: 60,
    memory_limit_mib: 100,
    cpu_limit_percent: 50,
    process_limit: 20,
    execution_environment_id: ids['execution_environment_id'],
    allow_override_execution_environment_in_task: true,
  },
  'projects.update': {
    max_parallel_tasks: 3,
    runner_tags: ['dmz'],
    execution_environment_id: ids['execution_environment_id'],
  },
  'executionEnvironments.update': container,
  'installationEnvironments.update': container,
  'grants.update': { limits },
  'groupRules.update': {
    administrator: false,
    project_id: ids['project_id'],
    role: 'guest',
    object_type: 'template',
    object_id: ids['template_id'],
    limits,
  },
  'apps.update': {},
  'environments.update': { json: '{"a": 1}', env: '{"B": "2"}' },
});

/** A template that lets schedules set what narrows a run. */
const open = {
  allow_override_args_in_task: true,
  allow_override_branch_in_task: true,
  allow_override_execution_environment_in_task: true,
  allow_override_inventory_in_task: true,
  allow_override_limit_in_task: true,
  allow_override_tags_in_task: true,
  allow_override_skip_tags_in_task: true,
};

test('what narrows a run or guards an entrance is never cleared by being left out', async () => {
  const { app, ids } = await everything();
  const guards = guardsOf(ids);
  const template = `/api/project/${ids['project_id']}/templates/${ids['template_id']}`;
  expect(await change(app.admin, ['PATCH', template], open)).toEqual(done);
  for (const { name, endpoint } of endpoints) {
    if (!mergeOf(endpoint)) continue;
    const url = pathOf(endpoint, { params: ids });
    if (endpoint.kept.length === 0) continue;
    expect([name, await change(app.admin, ['PATCH', url], guards[name])]).toEqual([name, done]);
    const before = await read(app.admin, url);
    for (const path of endpoint.kept) {
      const isEmpty = [undefined, null, '', '[]', 0, false].includes(
        valueAt(before, path) as string,
      );
      expect([name, path, isEmpty]).toEqual([name, path, false]);
      // Its other form in `task_params` would give it back.
      const [rest] = path.includes('.') ? [before] : [without(before, 'task_params')];
      const body = without(without(rest ?? {}, path), 'task_params.params');
      expect([name, path, await change(app.admin, ['PUT', url], body)]).toEqual([name, path, done]);
      expect([name, path, valueAt(await read(app.admin, url), path)]).toMatchObject([
        name,
        path,
        valueAt(before, path),
      ]);
    }
  }
});

test('the same body has the same result however often it is sent, whatever it leaves out or empties', async () => {
  const { app, ids } = await everything();
  const random = randomNumber(runSeed);
  for (const { name, endpoint } of endpoints) {
    if (!mergeOf(endpoint)) continue;
    const url = pathOf(endpoint, { params: ids });
    const whole = await read(app.admin, url);
    for (let round = 0; round < 12; round += 1) {
      const empties = [undefined, null, '', [], false, 0];
      const body = Object.fromEntries(
        Object.entries(whole).flatMap(([field, value]) => {
          const chance = random();
          if (chance < 0.6) return [[field, value]];
          return [[field, empties[Math.floor(random() * empties.length)]]];
        }),
      );
      const first = await change(app.admin, ['PUT', url], body);
      const once = await read(app.admin, url);
      const second = await change(app.admin, ['PUT', url], body);
      expect([name, body, second]).toEqual([name, body, first]);
      expect([name, body, comparable(await read(app.admin, url))]).toEqual([
        name,
        body,
        comparable(once),
      ]);
      await change(app.admin, ['PUT', url], whole);
    }
  }
});

/** Without the ids of vaults, which are written again. */
const comparable = (thing: Json): string =>
  JSON.stringify(thing, (key, value: unknown) =>
    key === 'vaults' && Array.isArray(value)
      ? value.map((vault: Json) => without(vault, 'id'))
      : value,
  );
