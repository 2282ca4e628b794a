import { expect, test } from 'vitest';
import { inventories } from '#shared/api/inventories.ts';
import { members } from '#shared/api/members.ts';
import { MAX_OVERVIEW_TASKS, overview } from '#shared/api/overview.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { seedProject, type Seed } from '../../../../test/helpers/seed.ts';

/** A task with this status, which ended an hour ago if it has ended. */
async function put({ admin, ctx, clock }: TestApp, seed: Seed, status: TaskStatus, days = 0) {
  const { id: template_id } = await seed.template();
  const params = { project_id: seed.projectId };
  const { id } = await admin.call(tasks.start, { params, body: { template_id } });
  const isOver = ['success', 'error', 'stopped'].includes(status);
  const ended = new Date(clock.now().getTime() - (days * 24 + 1) * 3600_000).toISOString();
  const values = { status, end: isOver ? ended : null };
  await ctx.db.updateTable('tasks').set(values).where('id', '=', id).execute();
  return { id, template_id };
}

const ids = (list: { id: number }[]) => list.map(({ id }) => id);

test('shows what runs, failed or waits for the caller in the projects of the caller', async () => {
  const app = await testApp();
  const [one, two] = [await seedProject(app.admin, null), await seedProject(app.admin, null)];
  const confirm = await put(app, one, 'waiting_confirmation');
  const waiting = await put(app, one, 'waiting');
  const running = await put(app, two, 'running');
  const older = await put(app, one, 'error', 2);
  const failed = await put(app, two, 'error');
  await put(app, one, 'error', 8);
  await put(app, one, 'success');
  const whole = await app.admin.call(overview.tasks, {});
  expect([whole.to_confirm, whole.active, whole.failed].map(ids)).toEqual([
    [confirm.id],
    [running.id, waiting.id],
    [failed.id, older.id],
  ]);

  const runner = await app.member(one.projectId, 'task_runner');
  const own = await runner.call(overview.tasks, {});
  expect([own.to_confirm, own.active, own.failed].map(ids)).toEqual([
    [confirm.id],
    [waiting.id],
    [older.id],
  ]);
  expect(own.failed[0]).toMatchObject({ project_id: one.projectId, status: 'error' });

  const guest = await app.member(one.projectId, 'guest');
  expect((await guest.call(overview.tasks, {})).to_confirm).toEqual([]);
});

test('shows the tasks of one project, which tasks of others do not push out', async () => {
  const app = await testApp();
  const [one, two] = [await seedProject(app.admin, null), await seedProject(app.admin, null)];
  for (let count = 0; count < MAX_OVERVIEW_TASKS; count += 1) {
    await put(app, one, 'waiting_confirmation');
  }
  const confirm = await put(app, two, 'waiting_confirmation');
  const running = await put(app, two, 'running');
  const failed = await put(app, two, 'error');
  const query = { project_id: two.projectId };
  const whole = await app.admin.call(overview.tasks, { query });
  expect([whole.to_confirm, whole.active, whole.failed].map(ids)).toEqual([
    [confirm.id],
    [running.id],
    [failed.id],
  ]);
  expect(ids((await app.admin.call(overview.tasks, {})).to_confirm)).not.toContain(confirm.id);

  const runner = await app.member(one.projectId, 'task_runner');
  expect(await runner.call(overview.tasks, { query })).toEqual({
    to_confirm: [],
    active: [],
    failed: [],
  });
});

test('shows each project with its last task and its runs of fourteen days', async () => {
  const app = await testApp();
  // Ten o'clock of the next day in the zone below, so that an hour ago was on the same day.
  const [hour, day] = [3600_000, 24 * 3600_000];
  app.clock.advance((20 * hour + day - (app.clock.now().getTime() % day)) % day);
  const [idle, busy] = [await seedProject(app.admin, null), await seedProject(app.admin, null)];
  await put(app, busy, 'success', 13);
  await put(app, busy, 'error', 14);
  await put(app, busy, 'error');
  await put(app, busy, 'waiting_confirmation');
  const last = await put(app, busy, 'running');
  const guest = await app.member(busy.projectId, 'guest');
  const zone = { query: { time_zone: 'Pacific/Kiritimati' } };
  const { projects, total } = await guest.call(overview.projects, zone);
  expect(total).toBe(1);
  expect(projects).toEqual([
    expect.objectContaining({ project_id: busy.projectId, active: 2, to_confirm: 1 }),
  ]);
  expect(projects[0]?.last_task).toMatchObject({ id: last.id, status: 'running' });
  expect(projects[0]?.days).toHaveLength(14);
  expect(projects[0]?.days.at(0)).toMatchObject({ success: 1, error: 0 });
  expect(projects[0]?.days.at(-1)).toMatchObject({ success: 0, error: 1 });

  const all = await app.admin.call(overview.projects, {});
  const shown = all.projects.map(({ project_id: id, last_task: task }) => [id, task?.id]);
  expect(shown.slice(0, 1)).toEqual([[busy.projectId, last.id]]);
  expect(shown).toContainEqual([idle.projectId, undefined]);
  const nowhere = app.admin.call(overview.projects, { query: { time_zone: 'Mars/Olympus' } });
  await expect(nowhere).rejects.toThrow('time_zone: Unknown time zone');
});

test('hosts of all projects of the caller are found by name', async () => {
  const app = await testApp();
  const [one, two] = [await seedProject(app.admin, null), await seedProject(app.admin, null)];
  for (const { projectId: project_id, keyId: ssh_key_id } of [one, two]) {
    const text = `kafka-10.of-${project_id}\nkafka-2.of-${project_id}`;
    const body = { name: 'Kafka', type: 'static' as const, inventory: text, ssh_key_id };
    await app.admin.call(inventories.create, { params: { project_id }, body });
  }
  const found = async (caller: Pick<TestApp['admin'], 'call'>, q: string) =>
    (await caller.call(overview.search, { query: { q } })).hosts.map(({ name }) => name);
  const own = [`kafka-2.of-${one.projectId}`, `kafka-10.of-${one.projectId}`];
  expect(await found(app.admin, 'KAFKA')).toHaveLength(4);
  expect(await found(await app.member(one.projectId, 'task_runner'), 'afka')).toEqual(own);
  // Guests do not see what an inventory contains.
  expect(await found(await app.member(one.projectId, 'guest'), 'afka')).toEqual([]);
});

test('templates and tasks of all projects of the caller are found by name, number and text', async () => {
  const app = await testApp();
  const [one, two] = [await seedProject(app.admin, null), await seedProject(app.admin, null)];
  const own = await one.template({ name: 'Roll out kafka' });
  const other = await two.template({ name: 'Kafka_2' });
  const start = (seed: Seed, template_id: number, message: string) =>
    app.admin.call(tasks.start, {
      params: { project_id: seed.projectId },
      body: { template_id, message },
    });
  const mine = await start(one, own.id, 'Ticket 4711');
  const theirs = await start(two, other.id, 'Ticket 4711');
  const found = async (caller: Pick<TestApp['admin'], 'call'>, q: string) => {
    const answer = await caller.call(overview.search, { query: { q } });
    return [answer.templates.map(({ template_id: id }) => id), ids(answer.tasks)];
  };
  expect(await found(app.admin, 'KAFKA')).toEqual([[other.id, own.id], []]);
  expect(await found(app.admin, 'a_2')).toEqual([[other.id], []]);
  expect(await found(app.admin, 'kafka roll')).toEqual([[own.id], []]);
  expect(await found(app.admin, 'ticket')).toEqual([[], [theirs.id, mine.id]]);
  expect(await found(app.admin, `#${mine.id}`)).toEqual([[], [mine.id]]);
  expect(await found(app.admin, '')).toEqual([[], []]);
  const guest = await app.member(one.projectId, 'guest');
  expect(await found(guest, 'kafka')).toEqual([[own.id], []]);
  expect(await found(guest, 'ticket')).toEqual([[], [mine.id]]);
  expect(await found(guest, `#${theirs.id}`)).toEqual([[], []]);
});

test('pins are of one user, and of projects that the user sees', async () => {
  const { app, seed } = await appWithProject(null);
  const { id, template_id } = await put(app, seed, 'success');
  const params = { project_id: seed.projectId, template_id };
  const runner = await app.member(seed.projectId, 'task_runner');
  const guest = await app.member(seed.projectId, 'guest');
  expect(await runner.call(overview.pins, {})).toEqual([]);
  await runner.call(overview.pin, { params });
  await runner.call(overview.pin, { params });
  await guest.call(overview.pin, { params });
  expect(await runner.call(overview.pins, {})).toMatchObject([
    { template_id, project_id: seed.projectId, may_run: true, last_task: { id } },
  ]);
  expect(await guest.call(overview.pins, {})).toMatchObject([{ template_id, may_run: false }]);
  expect(await app.admin.call(overview.pins, {})).toEqual([]);

  const missing = { params: { ...params, template_id: template_id + 1000 } };
  expect((await runner.ask(overview.pin, missing)).status).toBe(404);
  await guest.call(overview.unpin, { params });
  expect(await guest.call(overview.pins, {})).toEqual([]);
  const away = { params: { project_id: seed.projectId, user_id: runner.userId } };
  await app.admin.call(members.remove, away);
  expect(await runner.call(overview.pins, {})).toEqual([]);
});
