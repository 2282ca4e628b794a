// The preview of an inventory, from the request of a person to the runner and back.

import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { testApp } from '../helpers/app.ts';
import { folder, seedProject } from '../helpers/seed.ts';
import { previewInventory } from '../../src/server/runner-api/user-inspections.ts';

test('answers what the runner has seen', async () => {
  const app = await testApp();
  const { projectId } = await seedProject(app.admin, null);
  const answer = await app.admin.call(inventories.preview, {
    params: { project_id: projectId },
    body: { type: 'static', inventory: '[web]\none port=80\n' },
  });
  expect(answer).toMatchObject({
    parsed: true,
    host_count: 1,
    hosts: [{ name: 'one', variables: { port: 80 } }],
    groups: [{ name: 'web', hosts: ['one'] }],
  });
});

test('one that takes too long is ended and told so', async () => {
  const app = await testApp();
  const { inspections } = app.app.runner;
  const slow = previewInventory(
    app.ctx,
    inspections,
    { projectId: 1, type: 'static', inventory: 'host' },
    1,
  );
  await expect(slow).rejects.toMatchObject({ code: 'request.too_slow' });
});

test('says that the program is missing where it is', async () => {
  const app = await testApp({ config: { path: await folder() } });
  const { projectId } = await seedProject(app.admin, null);
  const answer = await app.admin.ask(inventories.preview, {
    params: { project_id: projectId },
    body: { type: 'static', inventory: 'host' },
  });
  expect([answer.status, answer.body.code]).toEqual([409, 'inventory.preview_unavailable']);
});
