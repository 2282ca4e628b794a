// Makes thousands of rows for tests and measurements of lists: projects with everything in them, of
// which the first is large. The rows are the same each time. Ids begin at `firstId`, far from those
// that servers give.

import { noLimits } from '#shared/grants/limits.ts';
import type { NewRow, Tables } from '../../../src/server/db/tables.ts';
import { eventRow, taskRow, type Shape } from './history.ts';

export const firstId = 1001;

export interface Size {
  projects: number;
  users: number;
  /** The sum of all projects. */
  templates: number;
  tasks: number;
  events: number;
  /** The share of the first project. */
  bigShare: { templates: number; tasks: number; events: number };
  /** How many of each other thing a project has. */
  things: number;
}

export type AnyRow = { [T in keyof Tables]: [table: T, row: NewRow<T>] }[keyof Tables];

/** Values that only a server can make. */
interface Secrets {
  sealAlias: (row: { id: number; project_id: number }, alias: string) => string;
  hashAlias: (alias: string) => string;
}

const time = '2026-01-05T08:00:00.000Z';
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** All rows; each comes after the rows that it refers to. */
export function* manyRows(size: Size, secrets: Secrets): Generator<AnyRow> {
  const shape = shapeOf(size);
  for (const index of range(size.users)) yield user(firstId + index);
  for (const index of range(size.projects)) {
    yield* project(shape, firstId + index, secrets);
  }
  for (const index of range(size.tasks)) yield ['tasks', taskRow(shape, index)];
  for (const index of range(size.tasks)) yield taskHost(shape, index);
  for (const index of range(size.projects)) yield* hosts(shape, firstId + index);
  for (const index of range(size.projects)) yield* workflows(shape, firstId + index);
  for (const index of range(size.events)) yield ['events', eventRow(shape, index)];
  for (const index of range(size.projects)) yield* deliveries(shape, firstId + index);
}

/** The templates of each project, computed from the sizes. */
export function shapeOf(size: Size): Shape {
  const { projects, users, bigShare, tasks, events, things } = size;
  const others = Math.max(projects - 1, 1);
  const each = Math.floor((size.templates - bigShare.templates) / others);
  const templatesOf = (projectId: number): { first: number; count: number } =>
    projectId === firstId
      ? { first: firstId, count: projects === 1 ? size.templates : bigShare.templates }
      : { first: firstId + bigShare.templates + (projectId - firstId - 1) * each, count: each };
  return { firstId, projects, users, tasks, events, things, bigShare, templatesOf };
}

function user(id: number): AnyRow {
  const name = `Person ${id}`;
  const row = { id, created: time, username: `person-${id}`, name, email: `p${id}@example.com` };
  const keys = { username_key: row.username, email_key: row.email };
  return ['users', { ...row, ...keys, password_hash: null, admin: 0, external: 0, alert: 0 }];
}

/** The id of a thing, the same for all kinds of things. */
export const thingId = (shape: Shape, projectId: number, index: number): number =>
  firstId + (projectId - firstId) * shape.things + index;

function* project(shape: Shape, id: number, secrets: Secrets): Generator<AnyRow> {
  const own = { alert: 0 as const, alert_chat: null, max_parallel_tasks: 0, type: '' };
  yield ['projects', { id, name: `Project ${id}`, created: time, ...own }];
  // Every user is a member of the first project and of another one.
  const step = id === firstId ? 1 : shape.projects;
  for (let member = id - firstId; member < shape.users; member += step) {
    yield ['members', { project_id: id, user_id: firstId + member, role: 'manager' }];
  }
  for (const index of range(shape.things)) yield* thing(id, thingId(shape, id, index));
  const { first, count } = shape.templatesOf(id);
  for (let template = first; template < first + count; template += 1) {
    const vault_key_id = thingId(shape, id, 0);
    const part = thingId(shape, id, template % shape.things);
    yield ['templates', templateRow(id, template, [part, vault_key_id])];
    yield ['template_vaults', { project_id: id, template_id: template, vault_key_id, name: null }];
  }
  for (const index of range(Math.min(shape.things, count))) {
    const object = { project_id: id, template_id: first + index };
    const role = { role: 'task_runner', role_id: null, limits: JSON.stringify(noLimits) };
    const given = { granted_by: null, created: time };
    yield ['grants', { ...object, user_id: id, ...role, ...given }];
    yield ['restrictions', { ...object, mode: 'named' }];
  }
  for (const index of range(shape.things)) {
    yield* launchers(id, thingId(shape, id, index), first + (index % count), secrets);
  }
}

const image = {
  description: '',
  kind: 'container' as const,
  folder: '',
  packages: '[]',
  python: '',
  index_url: '',
  image: 'tools:1',
  pull: 'missing' as const,
  network: '',
  mounts: '[]',
  user: '',
  memory_limit_mib: 0,
  cpu_limit_percent: 0,
  process_limit: 0,
  memory_request_mib: 0,
  cpu_request_percent: 0,
  node_labels: '[]',
  tolerations: '[]',
  service_account: '',
  pod_labels: '[]',
  pull_secrets: '[]',
};

function* thing(project_id: number, id: number): Generator<AnyRow> {
  const named = { id, project_id, name: `Thing ${id}` };
  yield ['keys', { ...named, type: 'none', secret: null }];
  yield ['repositories', { ...named, git_url: 'x', git_branch: 'main', ssh_key_id: id }];
  yield ['host_configs', { ...named, type: 'host', ssh_key_id: id }];
  yield ['execution_environments', { ...named, ...image, registry_key_id: id }];
  const shared = { ...named, id: id + 1_000_000, project_id: null };
  yield ['execution_environments', { ...shared, ...image, registry_key_id: null }];
  const role = { slug: `role-${id}`, description: '', rights: '[]' };
  yield ['roles', { ...named, ...role }];
  yield ['roles', { ...named, ...role, id: id + 1_000_000, project_id: null }];
  const none = { ssh_key_id: id, become_key_id: null, repository_id: null };
  yield ['inventories', { ...named, type: 'static', inventory: 'localhost\n', ...none }];
  yield ['environments', { ...named, json: '{}', env: '{}' }];
  const secret = { type: 'var' as const, name: 'token', secret: 'sealed' };
  yield ['environment_secrets', { project_id, environment_id: id, ...secret }];
  yield ['views', { id, project_id, title: `View ${id}`, position: id }];
}

function templateRow(
  project_id: number,
  id: number,
  [part, view]: [number, number],
): NewRow<'templates'> {
  const refs = { inventory_id: part, repository_id: part, environment_id: part };
  const survey = [{ name: 'tier', title: 'Tier', description: '', type: '', required: false }];
  return {
    ...refs,
    id,
    project_id,
    // Half of them are in the first view.
    view_id: id % 2 === 0 ? part : view,
    name: `Deploy service ${id}`,
    description: `Rolls out service ${id} to all hosts of its tier, one after the other.`,
    app: 'ansible',
    type: id % 10 === 0 ? 'build' : '',
    playbook: `plays/service-${id % 50}.yml`,
    git_branch: null,
    arguments: null,
    limit: '',
    tags: '',
    skip_tags: '',
    survey_vars: JSON.stringify(survey.map((one) => ({ ...one, values: null }))),
    start_version: id % 10 === 0 ? '1.0.0' : null,
    build_template_id: null,
    allow_override_args_in_task: 0,
    allow_override_inventory_in_task: 0,
    allow_override_branch_in_task: 1,
    allow_override_limit_in_task: 1,
    allow_override_tags_in_task: 0,
    allow_override_skip_tags_in_task: 0,
    allow_debug_in_task: 1,
    allow_parallel_tasks: 0,
    tasks: 50,
  };
}

/** The name of the first host of a project, which is in all its tasks. */
export const firstHost = 'host-1.example.com';

const noResults = { changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 };

function taskHost(shape: Shape, index: number): AnyRow {
  const { project_id } = taskRow(shape, index);
  const counts = { ...noResults, failed: index % 11 === 3 ? 1 : 0, ok: 12 };
  const row = { task_id: firstId + index, project_id, host: firstHost, ...counts };
  return ['task_hosts', { ...row, begin: null, end: null, first_failure: null }];
}

/** The hosts of a project, of which each inventory names one. */
function* hosts(shape: Shape, project_id: number): Generator<AnyRow> {
  const own = range(shape.tasks).findLast(
    (index) => taskRow(shape, index).project_id === project_id,
  );
  for (const index of range(shape.things)) {
    const id = thingId(shape, project_id, index);
    const name = `host-${index + 1}.example.com`;
    const last_task_id = index === 0 && own !== undefined ? firstId + own : null;
    const last_outcome = last_task_id === null ? null : ('ok' as const);
    const sort_key = name.replace(/\d+/, (digits) => digits.padStart(9, '0'));
    yield ['hosts', { id, project_id, name, sort_key, last_task_id, last_outcome }];
    yield ['inventory_hosts', { project_id, inventory_id: id, host: name, groups: '["web"]' }];
  }
}

/** Workflows with a run each that waits for an approval. */
function* workflows(shape: Shape, project_id: number): Generator<AnyRow> {
  const who = { roles: ['owner'], user_ids: [], not_launcher: false };
  const rest = { join: 'all', position: null, fields: [], timeout_s: null, on_timeout: 'reject' };
  const nodes = [{ type: 'approval', key: 'ask', name: 'Ask', question: '', ...who, ...rest }];
  const graph = JSON.stringify({ nodes, edges: [] });
  const first = thingId(shape, project_id, 0);
  for (const index of range(shape.things)) {
    const id = thingId(shape, project_id, index);
    const own = { id, project_id, name: `Thing ${id}`, graph };
    yield ['workflows', { ...own, description: '', view_id: null }];
    const by = { user_id: firstId, username: 'person', message: '', created: time, end: null };
    const none = { parent_run_id: null, parent_node: null, rerun_of: null };
    // The first one has all runs.
    yield ['workflow_runs', { ...own, ...by, ...none, workflow_id: first, status: 'running' }];
    const times = { begin: time, end: null, until: null };
    const unset = { task_id: null, child_run_id: null, reason: null, decided_by: null };
    const node = { id, project_id, run_id: id, node: 'ask', state: 'active' as const };
    yield ['workflow_nodes', { ...node, ...times, ...unset, secret: null }];
    const decision = { code: 'decision.began', params: '{"node":"Ask"}', because: '[]' };
    yield ['workflow_decisions', { id, run_id: first, time, ...decision }];
  }
}

/** Schedules, integrations and alert channels. */
function* launchers(
  project_id: number,
  id: number,
  template_id: number,
  { sealAlias, hashAlias }: Secrets,
): Generator<AnyRow> {
  const named = { id, project_id, name: `Thing ${id}` };
  const cron = { cron_format: '0 4 * * *', time_zone: 'UTC', active: 0 as const, next_due: null };
  const rest = { repository_id: null, missed: 'skip' as const, last_commit: null };
  yield ['schedules', { ...named, template_id, ...cron, ...rest }];
  const auth = { auth_method: '' as const, auth_header: '', auth_secret_id: null };
  const launch = { task_params: null, inventory_id: null, searchable: 1 as const };
  yield ['integrations', { ...named, template_id, ...auth, ...launch }];
  for (const integration_id of [null, id]) {
    const alias = `alias-${id}-${integration_id}`;
    const row = { id: 2 * id + Number(integration_id !== null), project_id };
    const sealed = { alias: sealAlias(row, alias), alias_hash: hashAlias(alias) };
    yield ['integration_aliases', { ...row, integration_id, ...sealed }];
  }
  const rule = { project_id, integration_id: id, name: 'Rule', body_data_type: 'json' as const };
  const value = { value_source: 'body' as const, key: 'a', variable: 'A' };
  yield ['integration_values', { ...rule, ...value }];
  const match = { match_type: 'body' as const, key: 'a', method: 'equals' as const, value: '1' };
  yield ['integration_matchers', { ...rule, ...match }];
  const channel = { type: 'slack' as const, active: 1 as const, events: '["failed"]' };
  const target = { addresses: '[]', chat: '', host: 'example.com', address: 'x', secret: null };
  yield ['alert_channels', { ...named, ...channel, ...target }];
  yield ['alert_channel_templates', { project_id, channel_id: id, template_id }];
}

/**
 * Fires, deliveries and alerts: `things` of each, for the first schedule, integration and channel.
 */
function* deliveries(shape: Shape, project_id: number): Generator<AnyRow> {
  const of = thingId(shape, project_id, 0);
  const { first } = shape.templatesOf(project_id);
  const template = { id: first, name: 'Deploy' };
  const alert = JSON.stringify({ event: 'failed', task: { id: 1, template } });
  for (const index of range(shape.things)) {
    const day = new Date(Date.parse(time) + index * 86_400_000).toISOString();
    const fire = { schedule_id: of, due: day, noticed: day, result: 'missed' as const };
    const none = { reason: null, task_id: null, commit_hash: null, code: null, error: null };
    yield ['schedule_fires', { ...fire, ...none }];
    const request = { created: day, ip: '127.0.0.1', method: 'POST', request: 'sealed' };
    const why = { result: 'failed' as const, reason: 'delivery.no_template', params: '{}' };
    const from = { task_id: null, replay_of: null, sender_id: null };
    yield [
      'integration_deliveries',
      { project_id, integration_id: of, ...request, ...why, ...from },
    ];
    const sent = { status: 'sent' as const, answer_status: 200, error: null, next_try: null };
    const to = { task_id: index + 1, recipient: `channel:${of}`, channel_id: of, user_id: null };
    const delivery = { project_id, event: 'failed' as const, alert, created: day, sent: day };
    yield ['alert_deliveries', { ...delivery, ...to, ...sent }];
  }
}
