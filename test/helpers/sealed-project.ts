// One sealed text of each kind, in two projects.

import { secondFactor } from '#shared/api/second-factor.ts';
import { workflows } from '#shared/api/workflows.ts';
import { sealedColumns } from '../../src/server/vault/sealed-columns.ts';
import { sealInto } from '../../src/server/vault/sealed-texts.ts';
import type { TestApp } from './app.ts';
import { fullProject } from './full-project.ts';
import { send } from './integrations.ts';
import { seedProject } from './seed.ts';
import { launch } from './tasks.ts';

/** The second project has a task that waits with a secret answer. */
export async function sealedProject(app: TestApp) {
  const { aliases } = await fullProject(app.admin);
  for (const alias of aliases) await send(app.admin, { alias, body: {} });
  const seed = await seedProject(app.admin);
  const template = await seed.template({
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
  });
  const body = { template_id: template.id, secret: '{"token": "canary-answer"}' };
  const task = await launch(app.admin, seed.projectId, body);
  await app.admin.call(secondFactor.start, {});
  for (const { id } of await app.ctx.db.selectFrom('sessions').select('id').execute()) {
    await sealInto(app.ctx, sealedColumns.idToken, { id }, 'canary-id-token');
  }
  const outputs = { task_id: task.id, project_id: seed.projectId, outputs: '[]', secrets: null };
  const row = app.ctx.db.insertInto('task_outputs').values(outputs).returningAll();
  const place = await row.executeTakeFirstOrThrow();
  await sealInto(app.ctx, sealedColumns.outputs, place, '[["token", "canary-output"]]');
  await sealApproval(app, seed.projectId);
  return { seed, task };
}

/** A run of a workflow that was launched with values, and whose approval has a secret answer. */
async function sealApproval(app: TestApp, project_id: number): Promise<void> {
  const params = { project_id };
  const ask = { type: 'approval' as const, key: 'ask', name: 'Ask', question: '' };
  const graph = { nodes: [{ ...ask, roles: ['owner' as const] }] };
  const { id } = await app.admin.call(workflows.create, { params, body: { name: 'Asks', graph } });
  await app.admin.call(workflows.launch, { params: { ...params, workflow_id: id }, body: {} });
  const node = app.ctx.db.selectFrom('workflow_nodes').select(['id', 'project_id']);
  const place = await node.executeTakeFirstOrThrow();
  await sealInto(app.ctx, sealedColumns.approvalAnswers, place, '{"word": "canary-approval"}');
  const run = app.ctx.db.selectFrom('workflow_runs').select(['id', 'project_id']);
  const values = await run.executeTakeFirstOrThrow();
  await sealInto(app.ctx, sealedColumns.runValues, values, '{"word": "canary-value"}');
}
