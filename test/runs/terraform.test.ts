// Slow: whole runs of a stand-in for Terraform, and of the real programs.
// Who may approve a plan, with a stand-in for Terraform.

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apps } from '#shared/api/apps.ts';
import { backups } from '#shared/api/backups.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp } from '../helpers/app.ts';
import { seedProject } from '../helpers/seed.ts';
import { launch, logText, untilFinished, untilStatus } from '../helpers/tasks.ts';

const standIn = fileURLToPath(new URL('../fixtures/stand-in/terraform', import.meta.url));

test('approval at launch must be allowed, and never passes a required confirmation', async () => {
  const app = await testApp({ runner: true });
  await app.admin.call(apps.update, { params: { app_id: 'terraform' }, body: { path: standIn } });
  const seed = await seedProject(app.admin, { 'infra/main.tf': '# input: one\n' });
  const params = { project_id: seed.projectId };
  const ofTerraform = { app: 'terraform', playbook: 'infra', inventory_id: null };
  const closed = await seed.template(ofTerraform);
  const answer = await app.admin.ask(tasks.start, {
    params,
    body: { template_id: closed.id, auto_approve: true },
  });
  expect([answer.status, answer.body.params]).toEqual([422, { field: 'auto_approve' }]);
  const open = await seed.template({ ...ofTerraform, allow_auto_approve_in_task: true });
  const asked = { template_id: open.id, auto_approve: true };
  const task = await untilFinished(app.admin, await launch(app.admin, seed.projectId, asked));
  expect([task.status, task.auto_approve]).toEqual(['success', true]);
  const guarded = await seed.template({
    ...ofTerraform,
    requires_confirmation: true,
    auto_approve: true,
  });
  const held = await launch(app.admin, seed.projectId, { template_id: guarded.id });
  const waiting = await untilStatus(app.admin, held, 'waiting_confirmation');
  expect(waiting.commands).toHaveLength(3);
  await app.admin.call(tasks.confirm, { params: { ...params, task_id: held.id } });
  const end = await untilStatus(app.admin, held, 'success');
  expect([end.confirmed_by, end.commands.length]).toEqual([app.admin.userId, 4]);
});

test('a plan waits for a person when the state of the last apply is not there', async () => {
  const app = await testApp({ runner: true });
  await app.admin.call(apps.update, { params: { app_id: 'terraform' }, body: { path: standIn } });
  const seed = await seedProject(app.admin, { 'infra/main.tf': '# input: one\n' });
  const ofTerraform = { app: 'terraform', playbook: 'infra', inventory_id: null };
  const template = await seed.template({ ...ofTerraform, auto_approve: true });
  const asked = { template_id: template.id };
  const first = await untilFinished(app.admin, await launch(app.admin, seed.projectId, asked));
  expect(first.status).toBe('success');
  const kept = join(app.ctx.config.dataDir, 'terraform', String(seed.projectId));
  await rename(kept, `${kept}-elsewhere`);
  const second = await launch(app.admin, seed.projectId, asked);
  const { confirmation_reason: why } = await untilStatus(app.admin, second, 'waiting_confirmation');
  expect(why?.code).toBe('confirmation.state_gone');
  expect(await logText(app.admin, second)).toContain('is no longer on this server');
});

test('the first plan of a restored template waits for a person, as a backup has no states', async () => {
  const app = await testApp({ runner: true });
  await app.admin.call(apps.update, { params: { app_id: 'terraform' }, body: { path: standIn } });
  const seed = await seedProject(app.admin, { 'infra/main.tf': '# input: one\n' });
  const ofTerraform = { app: 'terraform', playbook: 'infra', inventory_id: null };
  await seed.template({ ...ofTerraform, auto_approve: true });
  const params = { project_id: seed.projectId };
  const { meta, ...backup } = await app.admin.call(backups.read, { params });
  const restored = await app.admin.call(backups.restore, {
    body: { ...backup, meta: { ...meta, name: 'Restored' } },
  });
  const [template] = await app.admin.call(templates.list, { params: { project_id: restored.id } });
  const asked = { template_id: template?.id ?? 0 };
  const first = await launch(app.admin, restored.id, asked);
  const waiting = await untilStatus(app.admin, first, 'waiting_confirmation');
  expect(waiting.confirmation_reason).toMatchObject({ code: 'confirmation.restored' });
  await app.admin.call(tasks.confirm, { params: { project_id: restored.id, task_id: first.id } });
  await untilStatus(app.admin, first, 'success');
  const second = await untilFinished(app.admin, await launch(app.admin, restored.id, asked));
  expect([second.status, second.confirmation_reason]).toEqual(['success', null]);
});
