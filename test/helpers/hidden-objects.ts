// A project in which half of all things are restricted: what is hidden has a name that is found nowhere else.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { environments } from '#shared/api/environments.ts';
import { executionEnvironments } from '#shared/api/execution-environments.ts';
import { restrictions } from '#shared/api/grants.ts';
import { integrations } from '#shared/api/integrations.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { overview } from '#shared/api/overview.ts';
import { repositories } from '#shared/api/repositories.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { views } from '#shared/api/views.ts';
import { workflows } from '#shared/api/workflows.ts';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import { grantedTypes } from '#shared/grants/granted-types.ts';
import { knownHostsPath } from '../../src/node/data-folder/known-hosts.ts';
import type { Caller, TestApp } from './app.ts';
import { everyId, type Ids } from './every-id.ts';

/** The start of the name of everything that is hidden; only letters. */
export const mark = 'zqhidden';

export interface HiddenProject {
  projectId: number;
  /** The ids of what everybody sees, by the parameters of paths. */
  open: Ids;
  /** Those of what is hidden. */
  hidden: Ids;
  /** Those of what everybody sees and that uses hidden things. */
  users: Ids;
}

type Params = { params: { project_id: number } };

async function plantParts(owner: Caller, at: Params): Promise<Ids> {
  const key = { name: `${mark}key`, type: 'login_password' as const };
  const login_password = { login: 'robot', password: 'x' };
  const { id: key_id } = await owner.call(keys.create, { ...at, body: { ...key, login_password } });
  const { id: repository_id } = await owner.call(repositories.create, {
    ...at,
    body: {
      name: `${mark}repository`,
      git_url: `https://example.com/${mark}.git`,
      git_branch: `${mark}branch`,
      ssh_key_id: key_id,
    },
  });
  const inventory = `[${mark}group]\n${mark}host.example.com\n`;
  const { id: inventory_id } = await owner.call(inventories.create, {
    ...at,
    body: { name: `${mark}inventory`, type: 'static', inventory, ssh_key_id: key_id },
  });
  const { id: environment_id } = await owner.call(environments.create, {
    ...at,
    body: { name: `${mark}environment`, json: `{"${mark}variable": 1}` },
  });
  const { id: execution_environment_id } = await owner.call(executionEnvironments.create, {
    ...at,
    body: { name: `${mark}execution`, kind: 'container', image: `${mark}image:1` },
  });
  const { id: view_id } = await owner.call(views.create, { ...at, body: { title: `${mark}view` } });
  return { key_id, repository_id, inventory_id, environment_id, execution_environment_id, view_id };
}

const launchOf = (name: string, ids: Ids) => ({
  name,
  app: 'ansible',
  playbook: 'site.yml',
  repository_id: Number(ids['repository_id']),
  inventory_id: Number(ids['inventory_id']),
  environment_id: Number(ids['environment_id']),
  execution_environment_id: Number(ids['execution_environment_id']),
});

/** A workflow with an approval and a template. */
const workflowOf = (name: string, template_id: number) => ({
  name,
  graph: {
    nodes: [
      {
        key: 'ask',
        name: 'Ask',
        type: 'approval' as const,
        question: `${name}?`,
        roles: ['owner', 'manager', 'guest'],
      },
      { key: 'run', name: 'Run', type: 'template' as const, template_id },
    ],
    edges: [{ from: 'ask', to: 'run' }],
  },
});

async function plantAutomation(app: TestApp, owner: Caller, at: Params, parts: Ids): Promise<Ids> {
  const body = { ...launchOf(`${mark}template`, parts), view_id: Number(parts['view_id']) };
  const { id: template_id } = await owner.call(templates.create, { ...at, body });
  const { id: workflow_id } = await owner.call(workflows.create, {
    ...at,
    body: workflowOf(`${mark}workflow`, template_id),
  });
  const daily = { name: `${mark}schedule`, template_id, cron_format: '@daily' };
  const { id: schedule_id } = await owner.call(schedules.create, { ...at, body: daily });
  const push = { name: `${mark}integration`, template_id, auth_method: '' as const };
  const { id: integration_id } = await owner.call(integrations.create, { ...at, body: push });
  const { id: run_id } = await owner.call(workflows.launch, {
    params: { ...at.params, workflow_id },
    body: {},
  });
  const start = { template_id, message: `${mark}message` };
  const { id: task_id } = await owner.call(tasks.start, { ...at, body: start });
  const alert_delivery_id = await plantResult(app, at.params.project_id, task_id);
  const channel = { name: 'Team', type: 'webhook' as const, address: 'https://example.com/x' };
  await owner.call(alertChannels.create, {
    ...at,
    body: { ...channel, template_ids: [template_id], workflow_ids: [workflow_id] },
  });
  await owner.call(overview.pin, { params: { ...at.params, template_id } });
  const of = { template_id, workflow_id, schedule_id, integration_id, run_id };
  return { ...of, task_id, alert_delivery_id };
}

/** A host that only the hidden task has had, with its ssh key, and an alert about the task; returns the id of the alert. */
async function plantResult({ ctx }: TestApp, project_id: number, task_id: number): Promise<number> {
  const name = `${mark}ran.example.com`;
  const row = { project_id, name, sort_key: name, last_task_id: task_id };
  await ctx.db
    .insertInto('hosts')
    .values({ ...row, last_outcome: 'failed' })
    .execute();
  const alert = { task: { id: task_id, template: { id: 1, name: `${mark}alert` } } };
  const { id } = await ctx.db
    .insertInto('alert_deliveries')
    .values({
      project_id,
      task_id,
      event: 'failed',
      recipient: 'chat',
      channel_id: null,
      user_id: null,
      alert: JSON.stringify(alert),
      status: 'failed',
      attempts: 1,
      answer_status: null,
      error: 'refused_address',
      created: ctx.clock.now().toISOString(),
      sent: null,
      next_try: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const counts = { ok: 1, changed: 0, unreachable: 0, failed: 1, skipped: 0, rescued: 0 };
  await ctx.db
    .insertInto('task_hosts')
    .values({
      task_id,
      project_id,
      host: name,
      ...counts,
      ignored: 0,
      begin: null,
      end: null,
      first_failure: null,
    })
    .execute();
  const path = knownHostsPath(ctx.config, project_id);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${name} ssh-rsa AAAA\n`);
  return id;
}

/** Changes what a later task has from hidden things. */
async function changeParts(owner: Caller, { params }: Params, ids: Ids): Promise<void> {
  const change = (noun: string, id: unknown, payload: object) =>
    owner.raw({
      method: 'PATCH',
      url: `/api/project/${params.project_id}/${noun}/${String(id)}`,
      payload,
    });
  const changes = [
    await change('repositories', ids['repository_id'], { git_branch: `${mark}other` }),
    await change('inventory', ids['inventory_id'], { inventory: `${mark}added.example.com\n` }),
    await change('environment', ids['environment_id'], { json: `{"${mark}changed": 1}` }),
    await change('execution_environments', ids['execution_environment_id'], {
      image: `${mark}image:2`,
    }),
  ];
  const failed = changes.filter(({ statusCode }) => statusCode >= 300);
  if (failed.length > 0) throw new Error(failed.map(({ body }) => body).join());
}

/** What everybody sees and that uses what is hidden. */
async function plantUsers({ ctx }: TestApp, owner: Caller, at: Params, hidden: Ids): Promise<Ids> {
  const { id: template_id } = await owner.call(templates.create, {
    ...at,
    body: {
      ...launchOf('Uses hidden things', hidden),
      allow_override_inventory_in_task: true,
    },
  });
  const { id: before } = await owner.call(tasks.start, { ...at, body: { template_id } });
  const end = ctx.clock.now().toISOString();
  const success = { status: 'success' as const, start: end, end };
  await ctx.db.updateTable('tasks').set(success).where('id', '=', before).execute();
  await changeParts(owner, at, hidden);
  const { id: task_id } = await owner.call(tasks.start, { ...at, body: { template_id } });
  const { id: workflow_id } = await owner.call(workflows.create, {
    ...at,
    body: workflowOf('Runs a hidden template', Number(hidden['template_id'])),
  });
  const { id: run_id } = await owner.call(workflows.launch, {
    params: { ...at.params, workflow_id },
    body: {},
  });
  return { template_id, workflow_id, run_id, task_id };
}

const restricted: Record<GrantedType, string> = {
  template: 'template_id',
  workflow: 'workflow_id',
  view: 'view_id',
  inventory: 'inventory_id',
  key: 'key_id',
  environment: 'environment_id',
  repository: 'repository_id',
  execution_environment: 'execution_environment_id',
};

export async function hiddenProject(app: TestApp): Promise<HiddenProject> {
  const open = await everyId(app, app.admin);
  const projectId = Number(open['project_id']);
  const at = { params: { project_id: projectId } };
  const owner = await app.member(projectId, 'owner');
  const parts = await plantParts(owner, at);
  const hidden = { ...parts, ...(await plantAutomation(app, owner, at, parts)) };
  const users = await plantUsers(app, owner, at, hidden);
  for (const object_type of grantedTypes) {
    const object_id = Number(hidden[restricted[object_type]]);
    const body = { object_type, object_id, mode: 'hidden' as const };
    await owner.call(restrictions.set, { ...at, body });
  }
  return { projectId, open, hidden: { ...open, ...hidden }, users: { ...open, ...users } };
}
