// Resources as the server replies with them, for tests in which they are not the subject.

import type { App } from '#shared/api/apps.ts';
import type { ReplyOf } from '#shared/api/endpoint.ts';
import type { Environment } from '#shared/api/environments.ts';
import type { ShownExecutionEnvironment } from '#shared/api/execution-environments.ts';
import type { Inventory } from '#shared/api/inventories.ts';
import type { Key } from '#shared/api/keys.ts';
import type { Project } from '#shared/api/projects.ts';
import type { Repository } from '#shared/api/repositories.ts';
import type { ListedRole } from '#shared/api/roles.ts';
import type { Schedule } from '#shared/api/schedules.ts';
import type { system } from '#shared/api/system.ts';
import type { Runner } from '#shared/api/runners.ts';
import type { Task } from '#shared/api/tasks.ts';
import { type Template, templateDefaults } from '#shared/api/templates.ts';
import type { CurrentUser } from '#shared/api/users.ts';
import type { ListedWorkflow } from '#shared/api/workflows.ts';
import { kindOf } from '#shared/apps.ts';

export const aKey: Key = {
  id: 1,
  project_id: 1,
  name: 'Deploy',
  type: 'ssh',
  empty: false,
  string: '',
  login_password: { login: '', password: '' },
  ssh: { login: '', passphrase: '', private_key: '' },
  override_secret: false,
};

export const aRepository: Repository = {
  id: 1,
  project_id: 1,
  name: 'Playbooks',
  git_url: 'https://git.example.com/team/playbooks.git',
  git_branch: 'main',
  ssh_key_id: 1,
  with_submodules: true,
  status_host: '',
  status_key_id: null,
};

export const aTemplate: Template = {
  ...templateDefaults,
  id: 1,
  project_id: 1,
  name: 'Deploy',
  playbook: 'site.yml',
  inventory_id: 1,
  repository_id: 1,
  environment_id: 1,
  environment_ids: [1],
  vault_key_id: null,
  vaults: [],
  tasks: 0,
  last_task: null,
  last_task_id: null,
};

export const aWorkflow: ListedWorkflow = {
  id: 1,
  project_id: 1,
  name: 'Release',
  description: '',
  view_id: null,
  last_run: null,
  node_count: 1,
  first_nodes: ['Deploy'],
};

export const aUser: CurrentUser = {
  id: 1,
  created: '2026-01-01T00:00:00.000Z',
  username: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  admin: true,
  external: false,
  alert: false,
  can_create_project: false,
  second_factor: false,
  second_factor_setup: false,
};

export const anInfo: ReplyOf<typeof system.info> = {
  version: '1.0.0',
  ansible: '2.20.0',
  web_host: 'https://signalbox.example.com',
  use_remote_runner: false,
  auth_methods: { totp: { allow_recovery: true } },
  schedule_timezone: 'UTC',
  roles: [],
  premium_features: {},
  missing_programs: [],
  alerts: { mail: true, telegram: true },
};

export const aProject: Project = {
  id: 1,
  name: 'Web',
  created: '2026-01-01T00:00:00.000Z',
  alert: false,
  alert_chat: null,
  max_parallel_tasks: 0,
  runner_tags: [],
  keep_home: false,
  host_facts: [],
  execution_environment_id: null,
  type: '',
};

export const anInventory: Inventory = {
  id: 1,
  project_id: 1,
  name: 'Production',
  type: 'static',
  inventory: '',
  ssh_key_id: 1,
  become_key_id: null,
  repository_id: null,
  holder_id: null,
};

export const anExecutionEnvironment: ShownExecutionEnvironment = {
  id: 1,
  project_id: 1,
  name: 'Network modules',
  description: '',
  kind: 'container',
  folder: '',
  packages: [],
  python: '',
  index_url: '',
  image: 'quay.io/example/tools:1.4',
  pull: 'missing',
  registry_key_id: null,
  network: '',
  mounts: [],
  user: '',
  memory_limit_mib: 0,
  cpu_limit_percent: 0,
  process_limit: 0,
  memory_request_mib: 0,
  cpu_request_percent: 0,
  node_labels: [],
  tolerations: [],
  service_account: '',
  pod_labels: [],
  pull_secrets: [],
  unavailable: null,
};

/** A remote runner that has not registered yet. */
export const aRunner: Runner = {
  id: 3,
  project_id: null,
  name: 'web-1',
  role: 'runner',
  state: 'new',
  remote: true,
  draining: false,
  max_parallel_tasks: 0,
  slots: 0,
  tags: [],
  container_engine: '',
  webhook: '',
  version: '',
  running: 0,
  load: 0,
  started: '2026-01-01T00:00:00.000Z',
  last_seen: '2026-01-01T00:00:00.000Z',
  cleaning_requested: null,
};

export const anEnvironment: Environment = {
  id: 1,
  project_id: 1,
  name: 'Variables',
  json: '{}',
  env: '{}',
  password: null,
  secrets: null,
};

/** A built-in app. */
export const anApp = (id: string): App => ({
  id,
  kind: kindOf(id),
  built_in: true,
  title: id,
  active: true,
  available: true,
  priority: 0,
  icon: '',
  color: '',
  dark_color: '',
  path: '',
  args: [],
});

export const aSchedule: Schedule = {
  id: 1,
  project_id: 1,
  template_id: 1,
  tpl_name: 'Deploy',
  workflow_id: null,
  workflow_name: null,
  name: '',
  type: '',
  cron_format: '0 2 * * *',
  run_at: null,
  delete_after_run: false,
  time_zone: 'UTC',
  active: true,
  repository_id: null,
  missed: 'skip',
  task_params: null,
  next_due: null,
  last_fire: null,
};

export const aTask: Task = {
  id: 1,
  project_id: 1,
  template_id: 1,
  status: 'success',
  created: '2026-01-01T00:00:00.000Z',
  start: '2026-01-01T00:00:00.000Z',
  end: '2026-01-01T00:01:00.000Z',
  user_id: 1,
  user_name: 'Ada',
  integration_id: null,
  schedule_id: null,
  launcher: null,
  message: '',
  version: null,
  build_task_id: null,
  build_task: null,
  commit_hash: null,
  commit_message: '',
  environment: '{}',
  secret_answers: [],
  secret: '',
  debug: false,
  debug_level: 0,
  dry_run: false,
  diff: false,
  auto_approve: false,
  playbook: '',
  arguments: null,
  git_branch: null,
  limit: '',
  tags: '',
  skip_tags: '',
  inventory_id: 1,
  execution_environment_id: null,
  execution_kind: 'server',
  confirmed_by: null,
  confirmed_at: null,
  commands: [],
  runner_name: '',
  used_runner_id: null,
  tpl_alias: 'Deploy',
  tpl_type: '',
  tpl_app: 'ansible',
  tpl_playbook: 'site.yml',
  retry_of: null,
  rerun_of: null,
  workflow_run_id: null,
  only_hosts: null,
  attempt: 1,
  attempts: 1,
  not_before: null,
  log_lines: 0,
  log_removed: false,
  expected_s: null,
  progress: null,
  plan: null,
  exit_code: 0,
  failure: null,
  confirmation_reason: null,
  waiting_for: null,
};

export const aRole: ListedRole = {
  id: 1,
  project_id: 1,
  slug: 'on-call',
  name: 'On-call',
  description: 'Looks after tasks at night',
  rights: ['task.restart', 'task.stop'],
  members: 1,
};
