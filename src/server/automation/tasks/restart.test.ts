import { expect, test } from 'vitest';
import type { z } from 'zod';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { launch } from '../../../../test/helpers/tasks.ts';

const survey = (name: string, type: 'int' | 'secret', required: boolean) => ({
  name,
  title: name,
  type,
  required,
  values: null,
});

async function setUp() {
  const { app, seed } = await appWithProject();
  const template = await seed.template({
    allow_override_limit_in_task: true,
    allow_override_branch_in_task: true,
    survey_vars: [survey('count', 'int', true), survey('word', 'secret', false)],
  });
  const first = await launch(app.admin, seed.projectId, {
    template_id: template.id,
    message: 'Nightly',
    limit: 'web1',
    git_branch: 'main',
    dry_run: true,
    diff: true,
    environment: '{"count":"3"}',
    secret: '{"word":"canary"}',
  });
  const place = { project_id: seed.projectId, template_id: template.id };
  const change = async (fields: Partial<z.input<typeof templates.update.body>>): Promise<void> => {
    const { last_task: _task, ...body } = await app.admin.call(templates.one, { params: place });
    await app.admin.call(templates.update, { params: place, body: { ...body, ...fields } });
  };
  const params = { project_id: seed.projectId, task_id: first.id };
  return { app, place, change, first, params };
}

test('the next task has every option of the earlier one, and no secret answer', async () => {
  const { app, first, params } = await setUp();
  const again = await app.admin.call(tasks.restart, { params });
  expect(again.id).toBeGreaterThan(first.id);
  const options = ['message', 'limit', 'git_branch', 'dry_run', 'diff', 'environment'] as const;
  for (const name of options) expect([name, again[name]]).toEqual([name, first[name]]);
  const rows = await app.ctx.db
    .selectFrom('tasks')
    .select(['id', 'secret'])
    .orderBy('id')
    .execute();
  expect(rows.map(({ secret }) => secret !== null)).toEqual([true, false]);
});

test('what the template does not allow any more is refused, and nothing is launched', async () => {
  const { app, place, change, params } = await setUp();
  await change({ allow_override_limit_in_task: false });
  const refused = await app.admin.ask(tasks.restart, { params });
  expect([refused.status, refused.body.code]).toEqual([422, 'task.field_not_allowed']);
  expect(await app.admin.call(tasks.list, { params: place })).toHaveLength(1);
});

test('a secret answer that is required is asked for', async () => {
  const { app, change, params } = await setUp();
  await change({
    survey_vars: [survey('count', 'int', true), survey('word', 'secret', true)],
  });
  const refused = await app.admin.ask(tasks.restart, { params });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('word');
});
