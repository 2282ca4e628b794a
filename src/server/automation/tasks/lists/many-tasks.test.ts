// What is done to finished tasks, and to all tasks of a template at once.

import { expect, test } from 'vitest';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { testApp, type TestApp } from '../../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../../test/helpers/app-with-project.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { launch, logText, untilFinished, untilStatus } from '../../../../../test/helpers/tasks.ts';
import { until } from '../../../../../test/helpers/until.ts';

const where = ({ project_id, id }: Task) => ({ params: { project_id, task_id: id } });

test('a finished task is deleted with its log, an unfinished one is not', async () => {
  const { app, seed } = await appWithProject(undefined, { runner: true });
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  await untilStatus(app.admin, task, 'success');
  const held = await seed.template({ requires_confirmation: true });
  const open = await launch(app.admin, seed.projectId, { template_id: held.id });
  const refused = await app.admin.ask(tasks.remove, where(open));
  expect([refused.status, refused.body.code]).toEqual([409, 'task.wrong_status']);
  const runner = await app.member(seed.projectId, 'task_runner');
  expect((await runner.ask(tasks.remove, where(task))).status).toBe(403);
  expect((await app.admin.ask(tasks.remove, where(task))).status).toBe(204);
  expect((await app.admin.ask(tasks.one, where(task))).status).toBe(404);
  const chunks = await app.ctx.db.selectFrom('task_log_chunks').selectAll().execute();
  expect(chunks).toEqual([]);
});

async function hello(app: TestApp) {
  const seed = await seedProject(app.admin, {
    'play.yml': 'printf "\\033[0;32mgreen\\033[0m\\n"; echo plain\n',
  });
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  return untilStatus(app.admin, task, 'success');
}

test('a log is downloaded as text, with and without time stamps and colours', async () => {
  const app = await testApp({ runner: true });
  const task = await hello(app);
  const download = (query: { time?: 'on'; color?: 'on' }) =>
    app.admin.ask(tasks.text, { ...where(task), query });
  const plain = await download({});
  expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(plain.headers['content-disposition']).toBe(`attachment; filename="task_${task.id}.txt"`);
  expect(String(plain.body)).toMatch(/\ngreen\nplain\n$/);
  const whole = await logText(app.admin, task);
  expect(String((await download({ color: 'on' })).body)).toBe(`${whole}\n`);
  const stamped = String((await download({ time: 'on' })).body);
  expect(stamped).toMatch(/\n\d{4}-\d\d-\d\dT[\d:.]+Z green\n/);
});

test('all tasks of a template are stopped, and those of others are not', async () => {
  const { app, seed } = await appWithProject(
    { 'play.yml': 'echo begun; sleep 1000\n' },
    { runner: true },
  );
  const [one, other] = [await seed.template(), await seed.template()];
  const list: Task[] = [];
  for (const template of [one, one, one, other]) {
    list.push(await launch(app.admin, seed.projectId, { template_id: template.id }));
  }
  const [first, , , kept] = list;
  if (!first || !kept) throw new Error('four were launched');
  for (const task of [first, kept]) {
    await until(async () => (await logText(app.admin, task)).includes('begun'));
  }
  const params = { project_id: seed.projectId, template_id: one.id };
  await app.admin.call(tasks.stopAll, { params, body: { force: true } });
  for (const task of list.slice(0, 3)) {
    expect((await untilFinished(app.admin, task)).status).toBe('stopped');
  }
  const starts = await app.admin.call(tasks.ofTemplate, { params });
  expect(starts.filter(({ start }) => start !== null)).toHaveLength(1);
  expect((await app.admin.call(tasks.one, where(kept))).status).toBe('running');
  await app.admin.call(tasks.stop, { ...where(kept), body: { force: true } });
  await untilFinished(app.admin, kept);
});
