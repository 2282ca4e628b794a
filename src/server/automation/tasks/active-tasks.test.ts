import { expect, test } from 'vitest';
import { activeTasks } from '#shared/api/active-tasks.ts';
import { runners } from '#shared/api/runners.ts';
import { tasks } from '#shared/api/tasks.ts';
import { ownEngine } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { until } from '../../../../test/helpers/until.ts';

test('administrators see what waits and what runs', async () => {
  const { app, seed, params } = await appWithProject(
    { 'play.yml': 'sleep 600\n' },
    { runner: true },
  );
  const owner = await app.member(seed.projectId, 'owner');
  const template = await seed.template();
  const body = { template_id: template.id };
  const first = await owner.call(tasks.start, { params, body });
  const second = await app.admin.call(tasks.start, { params, body });
  const list = () => app.admin.call(activeTasks.list, {});
  await until(async () => (await list())[0]?.status === 'running');
  const shared = {
    dry_run: false,
    launcher: null,
    project_id: seed.projectId,
    project_name: expect.stringMatching(/^Project/),
    template_id: template.id,
    template_name: template.name,
    created: expect.any(String),
  };
  const [runner] = await app.admin.call(runners.list, {});
  expect(runner?.running).toBe(1);
  const running = {
    ...shared,
    task_id: first.id,
    username: 'owner-1',
    runner_id: { sqlite: null, postgres: runner?.id }[ownEngine],
    runner_name: runner?.name,
    status: 'running',
    location: 'running',
    start: expect.any(String),
    waiting_for: null,
  };
  expect(await list()).toEqual([
    running,
    {
      ...shared,
      task_id: second.id,
      username: 'root',
      runner_id: null,
      runner_name: '',
      status: 'waiting',
      location: 'queue',
      start: null,
      waiting_for: { reason: 'template', task_id: first.id, limit: null, until: null, tags: null },
    },
  ]);
  const one = { params: { task_id: first.id } };
  expect(await app.admin.call(activeTasks.one, one)).toEqual(running);
  for (const { id } of [second, first]) {
    const answer = await app.admin.ask(activeTasks.stop, { params: { task_id: id } });
    expect(answer.status).toBe(204);
  }
  await until(async () => (await list()).length === 0);
  const ended = await owner.call(tasks.one, { params: { ...params, task_id: first.id } });
  expect(ended.status).toBe('stopped');
  const again = await app.admin.ask(activeTasks.stop, one);
  expect(again.status).toBe(204);
  expect((await app.admin.ask(activeTasks.one, one)).body.code).toBe('task.not_active');
  const none = await app.admin.ask(activeTasks.stop, { params: { task_id: 999_999 } });
  expect([none.status, none.body.code]).toEqual([404, 'task.not_active']);
});
