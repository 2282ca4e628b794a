// Every call that other clients know is there, or the guide says why it is not; and the OpenAPI
// document marks what is there for them only.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '#shared/api/index.ts';
import { openApi } from '../helpers/openapi.ts';
import { callsIn, describedCalls, laterCalls, undescribedCalls } from './described-calls.ts';

const ours = new Set(
  endpoints.map(
    ({ endpoint: { method, path } }) =>
      `${method} ${path.replace(/^\/api/, '').replace(/:\w+/g, '{}')}`,
  ),
);

// The websocket is no endpoint of the contract.
const elsewhere = new Set(['GET /ws']);

const isThere = (call: string): boolean => ours.has(call) || elsewhere.has(call);

test('all 116 described calls are there, and those that clients make beside them', () => {
  const described = callsIn(describedCalls);
  expect(new Set(described).size).toBe(116);
  expect(described.filter((call) => !isThere(call))).toEqual([]);
  expect(callsIn(undescribedCalls).filter((call) => !isThere(call))).toEqual([]);
});

test('each call that is not there stands in the guide with its reason', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/guide/clients.md'), 'utf8');
  const [, section = ''] = guide.split('### Calls that are not there');
  const rows = section.split('\n').filter((line) => line.startsWith('| `…/'));
  const missing = callsIn(laterCalls).filter((call) => !isThere(call));
  expect(missing).toHaveLength(6);
  const nouns = new Set(missing.map((call) => call.split('/')[3] ?? ''));
  expect(rows.map((row) => /^\| `…\/(\w+)`/.exec(row)?.[1])).toEqual([...nouns]);
  for (const row of rows) expect((row.split('|')[2] ?? '').trim()).not.toBe('');
});

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of the fields that are marked, wherever they lie. */
function marksIn(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => marksIn(one, name));
  if (!isJson(value)) return [];
  const values = value['x-compatible-values'];
  const own = value['x-compatible'] === true ? [name] : [];
  const ofValues = Array.isArray(values) ? values.map((one) => `${name}=${String(one)}`) : [];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    key === 'name' && typeof one === 'string' ? [] : marksIn(one, key),
  );
  return [...own, ...ofValues, ...inner];
}

/** By noun: the marked fields of bodies, of answers and of queries. */
function marked(): Record<string, string[]> {
  const found: Record<string, Set<string>> = {};
  const paths = openApi['paths'] as Record<string, Record<string, Json>>;
  for (const one of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const noun = String(one['operationId']).split('.')[0] ?? '';
    const parts = {
      body: marksIn(one['requestBody']),
      answer: marksIn(one['responses']),
      query: (one['parameters'] as Json[]).flatMap((each) =>
        marksIn(each['schema'], String(each['name'])),
      ),
    };
    for (const [part, names] of Object.entries(parts)) {
      for (const name of names) (found[noun] ??= new Set()).add(`${part} ${name}`);
    }
  }
  return Object.fromEntries(
    Object.entries(found).map(([noun, names]) => [noun, [...names].toSorted()]),
  );
}

test('the fields that are there for other clients only are marked', () => {
  const runner = ['answer active', 'answer cleaning_requested', 'answer is_default'].concat([
    'answer registered',
    'answer status',
    'answer touched',
    'answer webhook',
    'body active',
    'body webhook',
  ]);
  const launcher = ['answer params', 'body task_params'];
  const launcherOfTemplates = ['answer runner_tag', 'answer secret', 'answer task_params'].concat([
    'answer used_runner_id',
    'body runner_tag',
    'body task_params',
  ]);
  expect(marked()).toEqual({
    environments: ['answer password'],
    inventories: ['answer holder_id'],
    integrations: launcher,
    keys: ['answer override_secret', 'answer string'],
    members: ['query sort=email'],
    projectRunners: runner,
    runners: runner,
    schedules: launcher,
    session: ['answer auth_methods'],
    system: ['answer premium_features'],
    tasks: [
      'answer params',
      'answer secret',
      'answer used_runner_id',
      'body environment_id',
      'body override_args',
      'body params',
      'body repository_id',
      'body start_version',
      'query count',
    ],
    templates: launcherOfTemplates,
    tokens: ['answer expires_at', 'body expires_at'],
    users: ['body current_password', 'query sort=email'],
  });
});

test('the calls that are there for other clients only are marked', () => {
  const marks = endpoints.filter(({ endpoint }) => endpoint.forOthers).map(({ name }) => name);
  expect(marks.toSorted()).toEqual(
    [
      'session.verify session.recover users.options users.setOption options.list options.set',
      'projects.roles members.one events.last events.lastOfProject activeTasks.one apps.create',
      'tasks.output tasks.stopAll stats.ofTemplate',
      'taskResults.stages taskResults.hosts taskResults.errors alertChannels.testAll',
      'runners.registrationToken runners.switch runners.clearCache',
      'projectRunners.registrationToken projectRunners.switch projectRunners.clearCache',
    ]
      .flatMap((line) => line.split(' '))
      .toSorted(),
  );
  // A summary that speaks of them belongs to a marked call.
  const spoken = endpoints.filter(({ endpoint: { summary } }) =>
    /(?:older|other) (?:clients|versions)/.test(summary),
  );
  expect(spoken.filter(({ endpoint }) => !endpoint.forOthers).map(({ name }) => name)).toEqual([]);
});
