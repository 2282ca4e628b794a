import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { launch } from '../../../../test/helpers/tasks.ts';

test('a task tells what it runs with, also what its launch left to the template', async () => {
  const { admin } = await testApp();
  const seed = await seedProject(admin, null);
  const params = { project_id: seed.projectId };
  const template = await seed.template({
    git_branch: 'stable',
    limit: 'web',
    tags: 'deploy',
    skip_tags: 'slow',
    arguments: '["--forks=3"]',
    allow_override_tags_in_task: true,
  });
  const { id } = await launch(admin, seed.projectId, { template_id: template.id, tags: 'check' });
  const of = { params: { ...params, task_id: id } };
  const [inventory] = await admin.call(inventories.list, { params });
  const used = {
    inventory: { id: seed.inventoryId, name: inventory?.name },
    environments: [{ id: seed.environmentId }],
    branch: 'stable',
    limit: 'web',
    tags: 'check',
    skip_tags: 'slow',
    arguments: ['--forks=3'],
  };
  expect(await admin.call(tasks.one, of)).toMatchObject({ launcher: null, launched_with: used });

  // What is deleted afterwards has no name any more.
  const ofTemplate = { ...params, template_id: template.id };
  await admin.call(templates.update, {
    params: ofTemplate,
    body: { ...template, inventory_id: null },
  });
  const ofInventory = { ...params, inventory_id: seed.inventoryId };
  await admin.call(inventories.remove, { params: ofInventory });
  const gone = { inventory: { id: null, name: null } };
  expect(await admin.call(tasks.one, of)).toMatchObject({ launched_with: gone });
});
