// One of everything: the ids that the paths of all endpoints can be filled with.

import { groupRules, newGroupRule } from '#shared/api/identity.ts';
import { projectRunners } from '#shared/api/runners.ts';
import { schedules } from '#shared/api/schedules.ts';
import { tasks } from '#shared/api/tasks.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { views } from '#shared/api/views.ts';
import { integrationIds } from './integrations.ts';
import { plantAlert } from './alerts.ts';
import type { Caller, TestApp } from './app.ts';
import { seedProject } from './seed.ts';

// Of the installation, and so no part of the project.
const everybodyIsAdmin = newGroupRule.parse({
  source: 'any',
  claim: 'groups',
  pattern: 'ops',
  administrator: true,
});

export type Ids = Record<string, number | string>;

/** Makes a project of this caller with one of everything in it; answers ids by name of parameter. */
export async function everyId(app: TestApp, caller: Caller): Promise<Ids> {
  const seed = await seedProject(caller, null);
  const params = { project_id: seed.projectId };
  const template = await seed.template({ allow_override_limit_in_task: true });
  const body = { template_id: template.id };
  const daily = { ...body, cron_format: '@daily' };
  return {
    ...params,
    ...(await integrationIds(caller, seed)),
    app_id: 'tool',
    // Nobody's: ending their own would make nobody of the caller.
    session_id: 999_999,
    host_key_id: 'a'.repeat(24),
    user_id: (await app.member(seed.projectId, 'guest')).userId,
    token_id: await makeToken(caller),
    key_id: seed.keyId,
    repository_id: seed.repositoryId,
    inventory_id: seed.inventoryId,
    environment_id: seed.environmentId,
    view_id: (await caller.call(views.create, { params, body: { title: 'View' } })).id,
    template_id: template.id,
    provider_id: 'none',
    rule_id: (await app.admin.call(groupRules.create, { body: everybodyIsAdmin })).id,
    // Nobody waits for this one.
    look_id: 1,
    runner_id: (await caller.call(projectRunners.create, { params, body: { name: 'Runner' } })).id,
    schedule_id: (await caller.call(schedules.create, { params, body: daily })).id,
    task_id: (await caller.call(tasks.start, { params, body })).id,
    ...(await plantAlert(app, caller, seed.projectId)),
  };
}

/** Its id, which only the list has: the answer to its creation has the token in this place. */
async function makeToken(caller: Caller): Promise<number> {
  await caller.call(tokens.create, { body: newToken.parse({}) });
  const [newest] = await caller.call(tokens.list, {});
  return Number(newest?.id);
}
