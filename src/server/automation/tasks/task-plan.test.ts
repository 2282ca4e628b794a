import { expect, test } from 'vitest';
import { runPlan, type PlanChange, type RunPlan } from '#shared/api/task-plan.ts';
import { tasks } from '#shared/api/tasks.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { claimNext, launch } from '../../../../test/helpers/tasks.ts';
import { LeaseLost } from './rows/tasks.store.ts';
import { recordPlan } from './task-plan.ts';
import { endTask } from './move-task.ts';

const change = (address: string, fields: Partial<PlanChange> = {}): PlanChange => ({
  address,
  type: 'aws_instance',
  provider: 'registry.terraform.io/hashicorp/aws',
  action: 'create',
  reason: null,
  moved_from: null,
  is_imported: false,
  attributes: [],
  forcing: [],
  ...fields,
});

async function begin() {
  const { app, seed } = await appWithProject(null);
  const { id } = await seed.template({ app: 'terraform', inventory_id: null });
  const { id: task_id } = await launch(app.admin, seed.projectId, { template_id: id });
  const task = await claimNext(app.ctx);
  if (!task) throw new Error('The task was not taken.');
  const params = { project_id: seed.projectId, task_id };
  const see = () => app.admin.call(tasks.plan, { params });
  const counts = async () => {
    const list = await app.admin.call(tasks.list, { params: { project_id: seed.projectId } });
    return list.map(({ plan }) => plan);
  };
  return { app, task, params, see, counts };
}

const plan: RunPlan = {
  counts: { create: 1, update: 0, replace: 1, delete: 0, read: 0, outputs: 1, drift: 1 },
  changes: [
    change('aws_instance.a["ключ"]'),
    change('aws_instance.b', {
      action: 'replace',
      reason: 'replace_because_cannot_update',
      attributes: ['ami', 'id'],
      forcing: ['ami'],
    }),
    change('aws_instance.c', { action: 'drift_delete' }),
    change('address', { kind: 'output', type: '', provider: '', attributes: ['sensitive'] }),
  ],
  is_complete: false,
  is_whole: false,
};

test('a plan is read resource by resource, and counted in all lists', async () => {
  const { app, see, counts, task } = await begin();
  expect(await see()).toEqual({ counts: null, changes: [], is_complete: true, is_whole: null });
  expect(await counts()).toEqual([null]);
  await recordPlan(app.ctx, task, { ...plan, changes: [] });
  await recordPlan(app.ctx, task, plan);
  expect(await see()).toEqual(plan);
  expect(await counts()).toEqual([plan.counts]);
});

test('whether a plan covers everything is kept, and not known of a runner that does not say', async () => {
  const { app, see, task } = await begin();
  await recordPlan(app.ctx, task, { ...plan, is_whole: true });
  expect((await see()).is_whole).toBe(true);
  const { is_whole: _is_whole, ...told } = plan;
  await recordPlan(app.ctx, task, runPlan.parse(told));
  expect((await see()).is_whole).toBe(null);
});

test('a plan of a task that another runner has by now is not stored', async () => {
  const { app, see, task } = await begin();
  await expect(recordPlan(app.ctx, { ...task, lease: task.lease - 1 }, plan)).rejects.toThrow(
    LeaseLost,
  );
  expect((await see()).counts).toBe(null);
});

test('a plan of ten thousand resources fits, and goes with its task', async () => {
  const { app, see, task, params } = await begin();
  const changes = Array.from({ length: 10_000 }, (_, at) => change(`aws_instance.web[${at}]`));
  await recordPlan(app.ctx, task, { ...plan, changes });
  expect((await see()).changes).toHaveLength(10_000);
  await endTask(app.ctx, task, 'error', { exitCode: 1, failure: null });
  await app.admin.call(tasks.remove, { params });
  const left = await app.ctx.db.selectFrom('task_plans').selectAll().execute();
  expect(left).toEqual([]);
});

test('CLI args that undo what a task sets itself are refused at launch, of old templates too', async () => {
  const { app, seed, params } = await appWithProject(null);
  const fields = { app: 'terraform', inventory_id: null, allow_override_args_in_task: true };
  const { id: template_id } = await seed.template(fields);
  const start = async (text?: string) => {
    const body = { template_id, ...(text && { arguments: text }) };
    return app.admin.call(tasks.start, { params, body });
  };
  await expect(start('["-detailed-exitcode=false"]')).rejects.toThrow(
    '422 task.argument_own: Remove "-detailed-exitcode" from the CLI args',
  );
  await expect(start('["-upgrade"]')).rejects.toThrow('422 task.argument_init: Remove "-upgrade"');
  // As an earlier version has stored it.
  const { db } = app.ctx;
  const old = { arguments: '["-out=x"]' };
  await db.updateTable('templates').set(old).where('id', '=', template_id).execute();
  await expect(start()).rejects.toThrow('422 task.argument_own: Remove "-out"');
});
