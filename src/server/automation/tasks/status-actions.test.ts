// What each action answers in each status, and where it leads.

import { expect, test } from 'vitest';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { taskStatuses, type TaskStatus } from '#shared/task-status.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { claimNext, launch } from '../../../../test/helpers/tasks.ts';

// The status afterwards; "-": 409 and no change.
const table = `
                      confirm    reject   stop      force     delete
waiting               -          -        stopped   stopped   -
starting              -          -        stopping  stopping  -
waiting_confirmation  confirmed  stopped  stopped   stopped   -
confirmed             -          -        stopped   stopped   -
running               -          -        stopping  stopping  -
stopping              -          -        stopping  stopping  -
success               -          -        success   success   gone
error                 -          -        error     error     gone
stopped               -          -        stopped   stopped   gone
`;

const words = (line: string): string[] => line.trim().split(/\s+/);
const [head = '', ...lines] = table.trim().split('\n');
const actions = words(head);
const cases = lines.flatMap((line) => {
  const [status, ...marks] = words(line);
  return marks.map((mark, index) => ({
    status: status as TaskStatus,
    action: actions[index] ?? '',
    leadsTo: mark,
  }));
});

test('the table has every status with every action', () => {
  expect([...new Set(cases.map(({ status }) => status))]).toEqual([...taskStatuses]);
  expect(cases).toHaveLength(9 * 5);
});

test('each action is done or refused as the table says, and a refused one changes nothing', async () => {
  const { app, seed } = await appWithProject(null);
  const template = await seed.template({ allow_parallel_tasks: true });
  const ask = ({ id }: Task, action: string) => {
    const params = { project_id: seed.projectId, task_id: id };
    if (action === 'confirm') return app.admin.ask(tasks.confirm, { params });
    if (action === 'reject') return app.admin.ask(tasks.reject, { params });
    if (action === 'delete') return app.admin.ask(tasks.remove, { params });
    return app.admin.ask(tasks.stop, { params, body: { force: action === 'force' } });
  };
  for (const { status, action, leadsTo } of cases) {
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    const { db } = app.ctx;
    await db.updateTable('tasks').set({ status }).where('id', '=', task.id).execute();
    const answer = await ask(task, action);
    const row = await db
      .selectFrom('tasks')
      .select('status')
      .where('id', '=', task.id)
      .executeTakeFirst();
    const refusal = [409, 'task.wrong_status', { status }, status];
    const found = [answer.status, answer.body.code, answer.body.params, row?.status ?? 'gone'];
    expect([status, action, ...found]).toEqual([
      status,
      action,
      ...(leadsTo === '-' ? refusal : [204, undefined, undefined, leadsTo]),
    ]);
    await db.deleteFrom('tasks').execute();
  }
  expect(await claimNext(app.ctx)).toBeNull();
});
