// Also on PostgreSQL: parts of JSON texts are read by the database.
// What a task that waits for a confirmation will do, as Home and the page of the task have it.

import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { overview } from '#shared/api/overview.ts';
import { tasks } from '#shared/api/tasks.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { until } from '../../../../test/helpers/until.ts';

test('a task that waits says what it will do', async () => {
  const { app, seed, params } = await appWithProject(null);
  const inventory = await app.admin.call(inventories.create, {
    params,
    body: { name: 'Yard', type: 'static', inventory: 'signal-1\nsignal-2\nsignal-3\n' },
  });
  const { id: template_id } = await seed.template({
    app: 'ansible',
    playbook: 'site.yml',
    inventory_id: inventory.id,
    limit: 'signal-1:signal-2',
    git_branch: 'release',
    survey_vars: [
      { name: 'color', title: 'Color' },
      { name: 'password', title: 'Password', type: 'secret' },
    ],
  });
  const { id } = await app.admin.call(tasks.start, {
    params,
    body: {
      template_id,
      message: 'Tonight',
      environment: '{"color":"red"}',
      secret: '{"password":"hidden-word"}',
    },
  });
  await app.ctx.db
    .updateTable('tasks')
    .set({ status: 'waiting_confirmation', commit_hash: 'a'.repeat(40), commit_message: 'Tidy' })
    .where('id', '=', id)
    .execute();
  const one = () => app.admin.call(tasks.one, { params: { ...params, task_id: id } });
  await until(async () => (await one()).inventory_hosts === 3);
  const { to_confirm: waiting } = await app.admin.call(overview.tasks, {});
  const whole = await one();
  expect(waiting).toMatchObject([
    {
      id,
      message: 'Tonight',
      version: null,
      commit_message: 'Tidy',
      environment: '{"color":"red"}',
      secret_answers: ['password'],
      launched_with: {
        inventory: { id: inventory.id, name: 'Yard' },
        branch: 'release',
        limit: 'signal-1:signal-2',
      },
      only_hosts: null,
      inventory_hosts: 3,
      plan: null,
      confirmation_reason: null,
      confirm_until: whole.confirm_until,
    },
  ]);
  expect(whole.confirm_until).not.toBeNull();
  expect(whole.launched_with).toMatchObject(waiting[0]?.launched_with ?? {});
  expect(JSON.stringify(waiting)).not.toContain('hidden-word');
});

test('long answers are left out of the list, and a task without an inventory has none', async () => {
  const { app, seed, params } = await appWithProject(null);
  const { id: template_id } = await seed.template({
    inventory_id: null,
    survey_vars: [{ name: 'text', title: 'T' }],
  });
  const environment = JSON.stringify({ text: 'x'.repeat(5000) });
  const body = { template_id, environment };
  const { id } = await app.admin.call(tasks.start, { params, body });
  const status = 'waiting_confirmation';
  await app.ctx.db.updateTable('tasks').set({ status }).where('id', '=', id).execute();
  const { to_confirm: waiting } = await app.admin.call(overview.tasks, {});
  expect(waiting).toMatchObject([{ id, environment: '{}', inventory_hosts: null }]);
  const whole = await app.admin.call(tasks.one, { params: { ...params, task_id: id } });
  expect(waiting[0]?.launched_with.inventory).toEqual(whole.launched_with.inventory);
});
