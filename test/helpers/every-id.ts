// Makes one of each thing: the ids for the paths of all endpoints.

import { installationRoles, projectRoles } from '#shared/api/roles.ts';
import { hostConfigs } from '#shared/api/host-configs.ts';
import {
  executionEnvironments,
  installationEnvironments,
} from '#shared/api/execution-environments.ts';
import { keys } from '#shared/api/keys.ts';
import { grants } from '#shared/api/grants.ts';
import { groupRules, newGroupRule } from '#shared/api/identity.ts';
import { projectRunners } from '#shared/api/runners.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { views } from '#shared/api/views.ts';
import { workflows } from '#shared/api/workflows.ts';
import { integrationIds } from './integrations.ts';
import { plantAlert } from './alerts.ts';
import type { Caller, TestApp } from './app.ts';
import { seedProject } from './seed.ts';

// The rule belongs to the installation, and so to no project.
const everybodyIsAdmin = newGroupRule.parse({
  source: 'any',
  claim: 'groups',
  pattern: 'ops',
  administrator: true,
});

export type Ids = Record<string, number | string>;

/**
 * Makes a project of this caller with one of each thing in it; returns the ids by name of
 * parameter.
 */
export async function everyId(app: TestApp, caller: Caller): Promise<Ids> {
  const seed = await seedProject(caller, null);
  const params = { project_id: seed.projectId };
  const template = await seed.template({ allow_override_limit_in_task: true });
  const body = { template_id: template.id };
  const daily = { ...body, cron_format: '@daily' };
  const { id: taskId } = await caller.call(tasks.start, { params, body });
  const { userId } = await app.member(seed.projectId, 'guest');
  return {
    ...params,
    ...(await integrationIds(caller, seed)),
    app_id: 'tool',
    // No session has this id, because the caller would lose its own session otherwise.
    session_id: 999_999,
    host_key_id: 'a'.repeat(24),
    user_id: userId,
    object_type: 'template',
    object_id: template.id,
    grant_id: await plantGrant(caller, seed.projectId, template.id, userId),
    token_id: await makeToken(caller),
    key_id: seed.keyId,
    ...(await plantHostConfig(caller, seed.projectId)),
    ...(await plantExecutionEnvironments(app, caller, seed.projectId)),
    ...(await plantRoles(app, caller, seed.projectId)),
    repository_id: seed.repositoryId,
    inventory_id: seed.inventoryId,
    environment_id: seed.environmentId,
    view_id: (await caller.call(views.create, { params, body: { title: 'View' } })).id,
    template_id: template.id,
    provider_id: 'none',
    rule_id: (await app.admin.call(groupRules.create, { body: everybodyIsAdmin })).id,
    // Nobody waits for this look.
    look_id: 1,
    runner_id: (await caller.call(projectRunners.create, { params, body: { name: 'Runner' } })).id,
    schedule_id: (await caller.call(schedules.create, { params, body: daily })).id,
    task_id: taskId,
    ...(await plantWorkflow(caller, seed.projectId)),
    host: await plantHost(app, seed.projectId, taskId),
    ...(await plantAlert(app, caller, seed.projectId)),
  };
}

/** Gives the user, by default the caller, a role on the template. */
export async function plantGrant(
  caller: Caller,
  project_id: number,
  object_id: number,
  user_id = caller.userId,
): Promise<number> {
  const body = { user_id, object_type: 'template' as const, object_id, role: 'guest' };
  return (await caller.call(grants.create, { params: { project_id }, body })).id;
}

/** Names the key for a prefix of addresses; returns the ids of both. */
async function plantHostConfig(caller: Caller, project_id: number) {
  const params = { project_id };
  const login_password = { login: 'robot', password: 'x' };
  const { id: login_key_id } = await caller.call(keys.create, {
    params,
    body: { name: 'Login', type: 'login_password', login_password },
  });
  const { id: host_config_id } = await caller.call(hostConfigs.create, {
    params,
    body: { type: 'url', host: 'https://git.example.org/', ssh_key_id: login_key_id },
  });
  return { login_key_id, host_config_id };
}

/** Makes an execution environment of the project, and one of the installation. */
async function plantExecutionEnvironments(app: TestApp, caller: Caller, project_id: number) {
  const params = { project_id };
  const body = { name: `Image ${project_id}`, kind: 'container' as const, image: 'tools:1' };
  const own = await caller.call(executionEnvironments.create, { params, body });
  const shared = await app.admin.call(installationEnvironments.create, { body });
  return { execution_environment_id: own.id, installation_environment_id: shared.id };
}

/** Makes a role of the project, and one of the installation. */
async function plantRoles(app: TestApp, caller: Caller, project_id: number) {
  const body = { name: `On call ${project_id}`, rights: ['task.restart' as const] };
  const own = await caller.call(projectRoles.create, { params: { project_id }, body });
  const shared = { ...body, name: `Everywhere ${project_id}` };
  const { id } = await app.admin.call(installationRoles.create, { body: shared });
  return { role_id: own.id, installation_role_id: id };
}

/** Makes a workflow and a run of it that waits for an approval. */
async function plantWorkflow(caller: Caller, project_id: number) {
  const params = { project_id };
  const approval = { key: 'ask', name: 'Ask', type: 'approval' as const, question: 'Go on?' };
  const graph = { nodes: [{ ...approval, roles: ['owner' as const] }] };
  const body = { name: 'Workflow', graph };
  const { id: workflow_id } = await caller.call(workflows.create, { params, body });
  const which = { params: { ...params, workflow_id }, body: {} };
  const { id: run_id } = await caller.call(workflows.launch, which);
  return { workflow_id, run_id, node: 'ask' };
}

/** Makes a host of a task; returns its name, which no other project has. */
async function plantHost({ ctx }: TestApp, project_id: number, last_task_id: number) {
  const name = `host-of-${project_id}`;
  const row = { project_id, name, sort_key: name, last_task_id, last_outcome: 'ok' as const };
  await ctx.db.insertInto('hosts').values(row).execute();
  const counts = { ok: 1, changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0 };
  const values = { task_id: last_task_id, project_id, host: name, ...counts, ignored: 0 };
  await ctx.db
    .insertInto('task_hosts')
    .values({ ...values, begin: null, end: null, first_failure: null })
    .execute();
  return name;
}

/**
 * The id of the token, which only the list shows: the answer to its creation has the token instead.
 */
async function makeToken(caller: Caller): Promise<number> {
  await caller.call(tokens.create, { body: newToken.parse({}) });
  const [newest] = await caller.call(tokens.list, {});
  return Number(newest?.id);
}
