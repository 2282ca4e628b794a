// Also on PostgreSQL: the rights on an object are a condition of statements.
// What Home offers to people with roles on single objects.

import { expect, test } from 'vitest';
import { grants, restrictions } from '#shared/api/grants.ts';
import { members } from '#shared/api/members.ts';
import { overview } from '#shared/api/overview.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { tasks } from '#shared/api/tasks.ts';
import { workflowRuns } from '#shared/api/workflow-runs.ts';
import { type Caller, testApp } from '../../../../test/helpers/app.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { flows } from '../../../../test/helpers/workflows.ts';

async function people(app: Awaited<ReturnType<typeof testApp>>, projectId: number) {
  const params = { project_id: projectId };
  const owner = await app.member(projectId, 'owner');
  const body = { name: 'Vendor', rights: [] };
  const { slug: role } = await owner.call(projectRoles.create, { params, body });
  const vendor = await app.member(projectId, 'guest');
  const at = { params: { ...params, user_id: vendor.userId } };
  await owner.call(members.update, { ...at, body: { role } });
  const give = (object_type: 'template' | 'view' | 'workflow', object_id: number, slug: string) =>
    owner.call(grants.create, {
      params,
      body: { user_id: vendor.userId, object_type, object_id, role: slug },
    });
  const restrict = (object_type: 'template' | 'workflow', object_id: number) =>
    owner.call(restrictions.set, { params, body: { object_type, object_id, mode: 'named' } });
  return { params, owner, vendor, give, restrict };
}

test('a template is offered to be run and confirmed by a grant, and not by a role that does not count', async () => {
  const app = await testApp();
  const seed = await seedProject(app.admin, null);
  const { params, owner, vendor, give, restrict } = await people(app, seed.projectId);
  const template = await seed.template({ name: 'Restart' });
  await give('template', template.id, 'task_runner');
  const runner = await app.member(seed.projectId, 'task_runner');
  const { id } = await owner.call(tasks.start, { params, body: { template_id: template.id } });
  await app.ctx.db.updateTable('tasks').set({ status: 'waiting_confirmation' }).execute();
  const seen = async (one: Caller) => {
    const query = { q: 'Restart' };
    const { templates } = await one.call(overview.search, { query });
    const { to_confirm } = await one.call(overview.tasks, {});
    return [templates.map(({ may_run }) => may_run), to_confirm.map((task) => task.id)];
  };
  expect(await seen(vendor)).toEqual([[true], [id]]);
  expect(await seen(runner)).toEqual([[true], [id]]);
  await restrict('template', template.id);
  expect(await seen(vendor)).toEqual([[true], [id]]);
  expect(await seen(runner)).toEqual([[], []]);
  expect(await seen(owner)).toEqual([[true], [id]]);
  const guest = { user_id: runner.userId, object_type: 'template' as const, role: 'guest' };
  await owner.call(grants.create, { params, body: { ...guest, object_id: template.id } });
  expect(await seen(runner)).toEqual([[false], []]);
  await vendor.call(overview.pin, { params: { ...params, template_id: template.id } });
  expect(await vendor.call(overview.pins, {})).toMatchObject([{ may_run: true }]);
});

test('an approval waits for those who may decide it on its workflow, and for nobody else', async () => {
  const f = await flows(await testApp());
  const { params, vendor, give, restrict } = await people(f.app, f.params.project_id);
  const manager = await f.app.member(f.params.project_id, 'manager');
  const approval = { type: 'approval', key: 'ok', name: 'Release?', question: '' };
  const node = { ...approval, roles: ['manager'], user_ids: [f.app.admin.userId] };
  const workflow = await f.add([node as never]);
  const run = await f.launch(workflow);
  const waiting = async (one: Caller) =>
    (await one.call(overview.approvals, {})).map(({ run_id: id }) => id);
  expect([await waiting(manager), await waiting(vendor)]).toEqual([[run.id], []]);
  await give('workflow', workflow.id, 'guest');
  expect(await waiting(vendor)).toEqual([]);
  await f.app.ctx.db
    .updateTable('workflow_runs')
    .set(({ fn, ref, val }) => ({
      graph: fn('replace', [
        ref('graph'),
        val('"user_ids":['),
        val(`"user_ids":[${vendor.userId},`),
      ]),
    }))
    .execute();
  expect(await waiting(vendor)).toEqual([run.id]);
  await restrict('workflow', workflow.id);
  expect([await waiting(manager), await waiting(vendor)]).toEqual([[], [run.id]]);
  const at = { params: { ...params, run_id: run.id, node: 'ok' }, body: { approve: true } };
  expect((await manager.ask(workflowRuns.decide, at)).status).toBe(404);
  await vendor.call(workflowRuns.decide, at);
  expect(await f.shown(run)).toBe('ok+ success');
});
